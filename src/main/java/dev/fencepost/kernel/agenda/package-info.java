/** What is unfinished, and when someone should next look at it. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.agenda;
