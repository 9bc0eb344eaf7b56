package dev.fencepost.platform.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

  private final AddressGuard byDefault = TestDoors.guard(List.of(), false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.254",
        "::1",
        "0.0.0.0",
        "0.1.2.3",
        "::",
        "169.254.169.254",
        "169.254.0.1",
        "fe80::1",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "ff02::1",
        "fd00:ec2::254",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16"
      })
  void special_addresses_are_refused_by_default(String address) {
    assertThat(byDefault.allows(ip(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::7f00:1",
        "0:0:0:0:ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2001:0:1:2:3:4:80ff:fffe"
      })
  void ipv6_forms_of_special_ipv4_addresses_are_refused_by_default(String address) {
    assertThat(byDefault.allows(ip(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "203.0.113.7",
        "126.255.255.255",
        "128.0.0.1",
        "fd12:3456::1",
        "2001:db8::1",
        "64:ff9b::a01:203",
        "::ffff:10.1.2.3"
      })
  void private_and_public_addresses_are_allowed_by_default(String address) {
    assertThat(byDefault.allows(ip(address))).isTrue();
  }

  @Test
  void a_list_allows_exactly_what_it_lists() {
    var guard = TestDoors.guard(List.of("10.1.0.0/16", "fd00::/8"), false);

    assertThat(guard.allows(ip("10.1.255.1"))).isTrue();
    assertThat(guard.allows(ip("64:ff9b::a01:203"))).isTrue();
    assertThat(guard.allows(ip("fd12::1"))).isTrue();
    assertThat(guard.allows(ip("10.2.0.1"))).isFalse();
    assertThat(guard.allows(ip("203.0.113.7"))).isFalse();
    assertThat(guard.allows(ip("127.0.0.1"))).isFalse();
  }

  @Test
  void a_special_range_has_to_be_named_to_be_allowed() {
    var everything = TestDoors.guard(List.of("0.0.0.0/0", "::/0"), false);
    var named = TestDoors.guard(List.of("169.254.169.254", "127.0.0.0/8", "::1"), false);

    assertThat(everything.allows(ip("203.0.113.7"))).isTrue();
    assertThat(everything.allows(ip("127.0.0.1"))).isFalse();
    assertThat(everything.allows(ip("169.254.169.254"))).isFalse();
    assertThat(everything.allows(ip("::1"))).isFalse();
    assertThat(everything.allows(ip("fd00:ec2::254"))).isFalse();
    assertThat(named.allows(ip("169.254.169.254"))).isTrue();
    assertThat(named.allows(ip("169.254.169.253"))).isFalse();
    assertThat(named.allows(ip("127.9.9.9"))).isTrue();
    assertThat(named.allows(ip("::1"))).isTrue();
  }

  @Test
  void embedded_mode_adds_loopback_and_nothing_else() {
    var open = TestDoors.guard(List.of(), true);
    var listing = TestDoors.guard(List.of("10.0.0.0/8"), true);

    assertThat(open.allows(ip("127.0.0.1"))).isTrue();
    assertThat(open.allows(ip("203.0.113.7"))).isTrue();
    assertThat(open.allows(ip("169.254.169.254"))).isFalse();
    assertThat(listing.allows(ip("::1"))).isTrue();
    assertThat(listing.allows(ip("203.0.113.7"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.0/33", "fd00::/129", "10.0.0/8", "010.0.0.0/8", "lan", "10.0.0.0/", ""})
  void a_list_with_a_mistake_is_refused_at_once(String entry) {
    var allow = List.of("10.0.0.0/8", entry);

    assertThatThrownBy(() -> TestDoors.guard(allow, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("fencepost.probe.allow: ");
  }

  @Test
  void a_mapped_range_is_the_ipv4_range_it_stands_for() {
    var range = Cidr.parse("::ffff:10.0.0.0/104");

    assertThat(range.toString()).isEqualTo("10.0.0.0/8");
    assertThat(range.contains(ip("10.200.0.1"))).isTrue();
  }

  private static InetAddress ip(String text) {
    return HostLiteral.canonical(text).orElseThrow();
  }
}
