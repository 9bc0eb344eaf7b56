/** The one connection to an MQTT broker, whichever replica has it. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.mqtt;
