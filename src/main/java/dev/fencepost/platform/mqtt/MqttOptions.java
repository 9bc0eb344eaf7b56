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

  /** What is longer cannot be passed over, only fled from; brokers have limits of their own. */
  private static final int LONGEST_MESSAGE = 16 * 1024 * 1024;

  private MqttOptions() {}

  /**
   * The options of one connection.
   *
   * @param forget whether the broker is to forget what it keeps for us
   */
  static MqttClientOptions of(MqttSettings settings, BrokerAddress broker, boolean forget) {
    var options = new MqttClientOptions();
    options
        .setClientId(settings.clientId())
        .setCleanSession(forget)
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
