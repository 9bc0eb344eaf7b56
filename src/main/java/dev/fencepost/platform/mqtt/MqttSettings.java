package dev.fencepost.platform.mqtt;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Which broker devices are reached through, if any. */
@ConfigMapping(prefix = "fencepost.mqtt")
interface MqttSettings {

  /** {@code mqtt://host:1883} or {@code mqtts://host:8883}; without it there is no MQTT. */
  Optional<String> url();

  /** Who the service is at the broker. */
  Optional<String> username();

  /** A credential: never logged. */
  Optional<String> password();

  /** The name of the session that the broker keeps for us: one for all replicas. */
  @WithDefault("fencepost")
  String clientId();

  /** PEM certificates to trust instead of the JVM's, for {@code mqtts}. */
  Optional<String> trust();

  /** How long a replica that stands still keeps the others from taking over the connection. */
  @WithDefault("10s")
  Duration turn();

  /** The pause after a lost connection; doubled each time up to the longest, with jitter. */
  @WithDefault("500ms")
  Duration reconnect();

  /** The longest pause. */
  @WithDefault("15s")
  Duration longestReconnect();

  /** How many received messages may be in work before the broker is made to wait. */
  @WithDefault("256")
  int maxInWork();
}
