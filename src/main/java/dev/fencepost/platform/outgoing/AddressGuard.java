package dev.fencepost.platform.outgoing;

import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Decides which addresses a probe or webhook may reach: their targets come from tenants, and must
 * not become a way into this host or its cloud's metadata.
 *
 * <ul>
 *   <li>{@code fencepost.probe.allow} empty: everything but the special ranges below. Private
 *       networks are allowed: fleets live there.
 *   <li>Not empty: exactly the listed ranges.
 *   <li>A special range counts as listed only if an entry lies within it: {@code 127.0.0.0/8} or
 *       {@code 127.0.0.1} opens loopback, {@code 0.0.0.0/0} does not.
 *   <li>Embedded mode adds loopback, whatever the list says.
 * </ul>
 *
 * An IPv6 address that leads to an IPv4 one (mapped, NAT64, 6to4, Teredo) is judged as that one.
 */
@Startup // a list with a mistake stops the start, not the first probe
@ApplicationScoped
class AddressGuard {

  private static final List<Cidr> LOOPBACK = ranges("127.0.0.0/8", "::1");

  private static final List<Cidr> SPECIAL =
      Stream.of(
              LOOPBACK,
              ranges("0.0.0.0/8", "::"), // unspecified: Linux connects it to loopback
              ranges("169.254.0.0/16", "fe80::/10"), // link-local, most clouds' metadata included
              ranges("224.0.0.0/4", "240.0.0.0/4", "ff00::/8"), // multicast, broadcast, reserved
              ranges("fd00:ec2::254", "fd20:ce::254"), // metadata of AWS and Google over IPv6
              // Metadata of Alibaba Cloud, Oracle Cloud and Azure outside link-local.
              ranges("100.100.100.200", "192.0.0.192", "168.63.129.16"))
          .flatMap(List::stream)
          .toList();

  private final List<Cidr> listed;
  private final boolean onlyListed;

  AddressGuard(
      ReachConfig config,
      @ConfigProperty(name = "fencepost.embedded", defaultValue = "false") boolean embedded) {
    var allow = config.allow().orElse(List.of()).stream().map(AddressGuard::entry).toList();
    this.onlyListed = !allow.isEmpty();
    this.listed = embedded ? Stream.of(allow, LOOPBACK).flatMap(List::stream).toList() : allow;
  }

  boolean allows(InetAddress address) {
    var inner = InnerAddress.of(address);
    var special = SPECIAL.stream().filter(range -> range.contains(inner)).toList();
    if (special.isEmpty()) {
      return !onlyListed || isListed(inner);
    }
    return special.stream().allMatch(range -> isListedWithin(range, inner));
  }

  private boolean isListed(InetAddress address) {
    return listed.stream().anyMatch(range -> range.contains(address));
  }

  private boolean isListedWithin(Cidr special, InetAddress address) {
    return listed.stream().anyMatch(range -> range.liesIn(special) && range.contains(address));
  }

  private static Cidr entry(String text) {
    try {
      return Cidr.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("fencepost.probe.allow: " + e.getMessage(), e);
    }
  }

  private static List<Cidr> ranges(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }
}
