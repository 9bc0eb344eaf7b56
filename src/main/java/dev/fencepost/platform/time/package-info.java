/** The one door to the wall clock and to chance. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.time;
