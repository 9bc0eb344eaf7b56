/** Who gets in. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.identity.access;
