/** Where the process begins. Every room below says in its own package what it holds. */
@org.jspecify.annotations.NullMarked
package dev.fencepost;
