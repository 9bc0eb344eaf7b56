/** How one request can be followed through logs, events, problems and outgoing calls. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.telemetry;
