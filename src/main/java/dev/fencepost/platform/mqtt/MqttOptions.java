package dev.fencepost.platform.mqtt;

import io.vertx.core.net.PemTrustOptions;
import io.vertx.mqtt.MqttClientOptions;

/** How we are to be treated by the broker, and how long we wait for it. */
final class MqttOptions {

  private static final int KEEP_ALIVE_SECONDS = 15;
  private static final int CONNECT_MS = 5_000;

  /** What is not confirmed by then leaves the queue: its command is sent again in any case. */
  private static final int PUBACK_SECONDS = 10;

  private static final int MOST_UNCONFIRMED = 4096;
  private static final int LONGEST_MESSAGE = 64 * 1024;

  private MqttOptions() {}

  static MqttClientOptions of(MqttSettings settings, BrokerAddress broker) {
    var options = new MqttClientOptions();
    options
        .setClientId(settings.clientId())
        .setCleanSession(false)
        .setKeepAliveInterval(KEEP_ALIVE_SECONDS)
        .setMaxInflightQueue(MOST_UNCONFIRMED)
        .setAckTimeout(PUBACK_SECONDS)
        .setMaxMessageSize(LONGEST_MESSAGE);
    options.setAutoAck(false);
    options.setConnectTimeout(CONNECT_MS);
    settings.username().ifPresent(options::setUsername);
    settings.password().ifPresent(options::setPassword);
    if (broker.tls()) {
      options.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
      settings
          .trust()
          .ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file)));
    }
    return options;
  }
}
