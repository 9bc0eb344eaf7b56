/** Requests to the outside: guarded addresses, bounded answers, time limits. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.outgoing;
