package dev.fencepost.platform.outgoing;

import java.net.InetAddress;

/**
 * A range of addresses that share a prefix.
 *
 * @param base an address of the range; bits beyond the prefix mean nothing
 * @param prefix in bits, [0, 32] for IPv4, [0, 128] for IPv6
 */
record Cidr(InetAddress base, int prefix) {

  private static final int MAPPED_PREFIX = 96;

  Cidr {
    var bits = base.getAddress().length * Byte.SIZE;
    if (prefix < 0 || prefix > bits) {
      throw new IllegalArgumentException(
          "a prefix of " + base.getHostAddress() + " lies in [0, " + bits + "], but was " + prefix);
    }
  }

  /**
   * Reads {@code address/prefix}, or one address. The address is dotted decimal or IPv6; an
   * IPv4-mapped range is the IPv4 range it stands for.
   *
   * @throws IllegalArgumentException if the text is no range; the message quotes it
   */
  static Cidr parse(String text) {
    var slash = text.indexOf('/');
    var address = slash < 0 ? text : text.substring(0, slash);
    var base =
        HostLiteral.canonical(address)
            .orElseThrow(() -> new IllegalArgumentException("not an address range: " + text));
    var bits = base.getAddress().length * Byte.SIZE;
    if (slash < 0) {
      return new Cidr(base, bits);
    }
    var suffix = text.substring(slash + 1);
    if (!suffix.matches("[0-9]{1,3}")) {
      throw new IllegalArgumentException("not an address range: " + text);
    }
    var prefix = Integer.parseInt(suffix);
    return new Cidr(base, isMapped(address, bits) ? prefix - MAPPED_PREFIX : prefix);
  }

  // The JDK turns ::ffff:a.b.c.d into an IPv4 address, and the prefix has to follow.
  private static boolean isMapped(String address, int bits) {
    return address.indexOf(':') >= 0 && bits == Integer.SIZE;
  }

  boolean contains(InetAddress address) {
    var own = base.getAddress();
    var other = address.getAddress();
    if (own.length != other.length) {
      return false;
    }
    for (var bit = 0; bit < prefix; bit++) {
      if (((own[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & (0x80 >> (bit % Byte.SIZE))) != 0) {
        return false;
      }
    }
    return true;
  }

  boolean liesIn(Cidr wider) {
    return prefix >= wider.prefix && wider.contains(base);
  }

  @Override
  public String toString() {
    return base.getHostAddress() + "/" + prefix;
  }
}
