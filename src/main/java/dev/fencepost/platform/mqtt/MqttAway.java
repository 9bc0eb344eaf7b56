package dev.fencepost.platform.mqtt;

/** The broker did not take a message, or this replica has no connection to one. */
public final class MqttAway extends RuntimeException {

  MqttAway(String why) {
    super(why, null, false, false);
  }
}
