package dev.fencepost.asset;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Where an asset answers: {@code tcp://host:port}, {@code http(s)://…} or {@code heartbeat:}.
 *
 * <p>{@link URI} cannot say {@code heartbeat:} with nothing behind it, so inside the program a
 * device's heartbeat is {@link #HEARTBEAT}; outside it is always the short form.
 */
final class AssetAddress {

  static final URI HEARTBEAT = URI.create("heartbeat:device");

  private static final String HEARTBEAT_TEXT = "heartbeat:";
  private static final int MAX_LENGTH = 2048;
  private static final int MAX_PORT = 65535;

  private AssetAddress() {}

  /** What is wrong with an address, as the end of a sentence that begins with {@code address}. */
  static final class Malformed extends RuntimeException {

    private final String reason;

    Malformed(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  static String write(URI address) {
    return address.equals(HEARTBEAT) ? HEARTBEAT_TEXT : address.toString();
  }

  static URI read(String text) {
    if (text.equalsIgnoreCase(HEARTBEAT_TEXT)) {
      return HEARTBEAT;
    }
    if (text.length() > MAX_LENGTH) {
      throw new Malformed("must have at most " + MAX_LENGTH + " characters");
    }
    var address = withLowerCaseScheme(text);
    switch (Optional.ofNullable(address.getScheme()).orElse("")) {
      case "tcp" -> requireTcp(address);
      case "http", "https" -> requireHost(address);
      default -> throw new Malformed("must be tcp://host:port, http(s)://… or heartbeat:");
    }
    return address;
  }

  private static URI withLowerCaseScheme(String text) {
    var colon = Math.max(text.indexOf(':'), 0);
    try {
      return new URI(text.substring(0, colon).toLowerCase(Locale.ROOT) + text.substring(colon));
    } catch (URISyntaxException e) {
      throw new Malformed("is not a URL: " + e.getReason() + " at character " + e.getIndex());
    }
  }

  private static void requireTcp(URI address) {
    requireHost(address);
    if (address.getPort() < 0) {
      throw new Malformed("needs a port, as in tcp://host:554");
    }
    if (!address.getRawPath().isEmpty() || address.getRawQuery() != null) {
      throw new Malformed("must end after the port");
    }
  }

  private static void requireHost(URI address) {
    if (address.getRawUserInfo() != null) {
      throw new Malformed("must not carry a user name or password");
    }
    if (address.getHost() == null) {
      throw new Malformed("needs a host name or IP address, with IPv6 in brackets");
    }
    if (address.getPort() == 0 || address.getPort() > MAX_PORT) {
      throw new Malformed("needs a port from 1 to " + MAX_PORT);
    }
    if (address.getRawFragment() != null) {
      throw new Malformed("must not have a fragment");
    }
  }
}
