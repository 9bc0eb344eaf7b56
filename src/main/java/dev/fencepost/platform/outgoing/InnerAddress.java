package dev.fencepost.platform.outgoing;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The IPv4 address a packet to an IPv6 address ends up at, where a translator or tunnel sits in
 * between. Judging the outer address alone would open a side door to the inner one.
 */
final class InnerAddress {

  private static final Cidr COMPATIBLE = Cidr.parse("::/96");
  private static final Cidr NO_ADDRESS_OR_LOOPBACK = Cidr.parse("::/112");
  private static final Cidr MAPPED_BY_STATELESS_TRANSLATION = Cidr.parse("0:0:0:0:ffff::/96");
  private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
  private static final Cidr SIX_TO_FOUR = Cidr.parse("2002::/16");
  private static final Cidr TEREDO = Cidr.parse("2001::/32");
  private static final int LAST_FOUR = 12;

  private InnerAddress() {}

  /** The inner IPv4 address if there is one, else the address itself. */
  static InetAddress of(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    if (SIX_TO_FOUR.contains(address)) {
      return ipv4(address, 2, 0);
    }
    if (TEREDO.contains(address)) {
      return ipv4(address, LAST_FOUR, 0xff); // stored with every bit flipped
    }
    return endsInIpv4(address) ? ipv4(address, LAST_FOUR, 0) : address;
  }

  private static boolean endsInIpv4(InetAddress address) {
    return NAT64.contains(address)
        || MAPPED_BY_STATELESS_TRANSLATION.contains(address)
        || (COMPATIBLE.contains(address) && !NO_ADDRESS_OR_LOOPBACK.contains(address));
  }

  private static InetAddress ipv4(InetAddress address, int offset, int flip) {
    var bytes = Arrays.copyOfRange(address.getAddress(), offset, offset + 4);
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] ^= (byte) flip;
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}
