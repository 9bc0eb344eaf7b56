/** Who asks, and what they may do. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.identity;
