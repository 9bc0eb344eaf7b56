/** The road to Redis: a few long-lived pipelined connections, and scripts run by digest. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.redis;
