/** Live sessions of devices: one stop each, whatever happens. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.live;
