package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.UNKNOWN_HOST;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Hosts that are addresses already, in every spelling that some resolver takes for one. {@code
 * 2130706433}, {@code 0x7f.1} and {@code 0177.0.0.1} are 127.0.0.1 to the C library: left as names,
 * they would be judged as one thing and connected to as another.
 */
final class HostLiteral {

  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
  private static final Pattern DOTTED_DECIMAL =
      Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");
  private static final int PARTS = 4;
  private static final int OCTET = 256;

  /** Digits of a number that fits into a long whatever its radix; an address needs 11 at most. */
  private static final int MOST_DIGITS = 15;

  private HostLiteral() {}

  /**
   * The address that a host spells, or nothing if it is a name.
   *
   * @throws Unreachable if it ends like an address but is none, as no name does
   */
  static Optional<InetAddress> parse(String host) {
    if (host.indexOf(':') >= 0) {
      return Optional.of(ipv6(host).orElseThrow(() -> notAHost(host)));
    }
    var text = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    var parts = text.split("\\.", -1);
    if (!NUMBER.matcher(parts[parts.length - 1]).matches()) {
      return Optional.empty();
    }
    return Optional.of(ipv4(parts).orElseThrow(() -> notAHost(host)));
  }

  /** An address as people write it: dotted decimal without leading zeros, or IPv6. */
  static Optional<InetAddress> canonical(String text) {
    if (text.indexOf(':') >= 0) {
      return ipv6(text);
    }
    return DOTTED_DECIMAL.matcher(text).matches() ? ipv4(text.split("\\.", -1)) : Optional.empty();
  }

  private static Optional<InetAddress> ipv6(String text) {
    try {
      // A text with a colon is never looked up: it is an address or an error.
      return Optional.of(InetAddress.getByName(text));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  // As inet_aton does: the last part fills all the bytes that are left.
  private static Optional<InetAddress> ipv4(String[] parts) {
    if (parts.length > PARTS) {
      return Optional.empty();
    }
    long value = 0;
    for (var i = 0; i < parts.length; i++) {
      var isLast = i == parts.length - 1;
      var room = isLast ? 1L << (Byte.SIZE * (PARTS - i)) : OCTET;
      var part = number(parts[i]);
      if (part < 0 || part >= room) {
        return Optional.empty();
      }
      value = value * room + part;
    }
    return Optional.of(address((int) value));
  }

  /** The number, or -1 if the text is none. */
  private static long number(String text) {
    if (!NUMBER.matcher(text).matches() || text.length() > MOST_DIGITS) {
      return -1;
    }
    if (text.startsWith("0x") || text.startsWith("0X")) {
      return text.length() == 2 ? 0 : Long.parseLong(text.substring(2), 16);
    }
    var isOctal = text.length() > 1 && text.startsWith("0");
    return isOctal && !text.matches("[0-7]+") ? -1 : Long.parseLong(text, isOctal ? 8 : 10);
  }

  private static InetAddress address(int value) {
    var bytes =
        new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  private static Unreachable notAHost(String host) {
    return new Unreachable(UNKNOWN_HOST, host + " is neither a name nor an address", false);
  }
}
