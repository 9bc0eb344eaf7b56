/** Who may write: lanes, leases, fencing tokens, and the keeper that renews. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.fence;
