/** Work that outlives the request that began it, and how a process comes and goes. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.lifecycle;
