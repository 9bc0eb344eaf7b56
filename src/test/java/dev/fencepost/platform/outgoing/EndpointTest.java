package dev.fencepost.platform.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

  @ParameterizedTest
  @CsvSource({
    "http://cam-01/x?y, cam-01:80",
    "HTTPS://cam-01, cam-01:443",
    "https://u:p@h.example:8443/secret, h.example:8443",
    "http://[fd00::1]:81/, [fd00::1]:81",
    "http://2130706433/, 2130706433:80",
    "tcp://cam_1:554, cam_1:554",
    "http://cam-01:/x, cam-01:80"
  })
  void host_and_port_are_read_where_java_sees_none(URI target, String expected) {
    assertThat(Endpoint.of(target).toString()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "heartbeat:device",
        "tcp://cam-01",
        "tcp://cam-01:0",
        "tcp://cam-01:70000",
        "http:///x",
        "http://a:b:c/",
        "http://127。0。0。1/"
      })
  void a_target_without_host_or_port_is_unreachable(String target) {
    var uri = URI.create(target);

    assertThatThrownBy(() -> Endpoint.of(uri))
        .isInstanceOfSatisfying(
            Unreachable.class, e -> assertThat(e.kind()).isEqualTo(Unreachable.Kind.UNKNOWN_HOST));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "127.0.0.1., 127.0.0.1",
    "2130706433, 127.0.0.1",
    "0x7f000001, 127.0.0.1",
    "017700000001, 127.0.0.1",
    "0177.0.0.1, 127.0.0.1",
    "0x7f.1, 127.0.0.1",
    "127.1, 127.0.0.1",
    "0, 0.0.0.0",
    "0x, 0.0.0.0",
    "4294967295, 255.255.255.255",
    "::ffff:127.0.0.1, 127.0.0.1",
    "::1, ::1"
  })
  void every_spelling_of_an_address_is_that_address(String host, String address)
      throws UnknownHostException {
    assertThat(HostLiteral.parse(host)).hasValue(InetAddress.getByName(address));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "cam-01", "1.example", "0x7f.example.", "10.0.0.x"})
  void a_name_is_no_address(String host) {
    assertThat(HostLiteral.parse(host)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.2.3.4.5", "256.1.1.1", "1.2.3.256", "4294967296", "08.1.1.1", "a.1", "1::2::3"})
  void what_ends_like_an_address_and_is_none_is_not_looked_up(String host) {
    assertThatThrownBy(() -> HostLiteral.parse(host)).isInstanceOf(Unreachable.class);
  }
}
