package dev.fencepost.platform.mqtt;

import java.net.URI;
import java.util.Locale;

/** Where a broker listens, and whether it speaks TLS there. */
record BrokerAddress(String host, int port, boolean tls) {

  private static final int PLAIN_PORT = 1883;
  private static final int TLS_PORT = 8883;

  /**
   * Reads {@code mqtt://host:port} or {@code mqtts://host:port}.
   *
   * @throws IllegalArgumentException if it is neither; its message names no credentials
   */
  static BrokerAddress parse(String url) {
    var uri = URI.create(url);
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    var tls = scheme.equals("mqtts");
    if (uri.getHost() == null || !(tls || scheme.equals("mqtt"))) {
      throw new IllegalArgumentException(
          "fencepost.mqtt.url must be mqtt://host:port or mqtts://host:port");
    }
    if (uri.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "fencepost.mqtt.url must not hold credentials: set fencepost.mqtt.username and .password");
    }
    return new BrokerAddress(uri.getHost(), port(uri.getPort(), tls), tls);
  }

  private static int port(int given, boolean tls) {
    if (given > 0) {
      return given;
    }
    return tls ? TLS_PORT : PLAIN_PORT;
  }

  @Override
  public String toString() {
    return (tls ? "mqtts://" : "mqtt://") + host + ":" + port;
  }
}
