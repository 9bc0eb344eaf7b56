package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssetAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp://10.0.0.7:554",
        "tcp://camera-3.example:65535",
        "tcp://[2001:db8::1]:1",
        "http://example.com",
        "http://example.com:8080/health?deep=1",
        "https://[::1]:8443/",
        "heartbeat:",
      })
  void an_address_is_shown_as_it_was_sent(String text) {
    assertThat(AssetAddress.write(AssetAddress.read(text))).isEqualTo(text);
  }

  @Test
  void the_scheme_tells_how_to_probe() {
    assertThat(AssetAddress.read("TCP://a:1").getScheme()).isEqualTo("tcp");
    assertThat(AssetAddress.read("heartbeat:").getScheme()).isEqualTo("heartbeat");
    assertThat(AssetAddress.read("tcp://[::1]:80").getHost()).isEqualTo("[::1]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | must be tcp://host:port, http(s)://… or heartbeat:",
        "10.0.0.7:554 | is not a URL",
        "camera | must be tcp://host:port, http(s)://… or heartbeat:",
        "ftp://host:21 | must be tcp://host:port, http(s)://… or heartbeat:",
        "file:///etc/passwd | must be tcp://host:port, http(s)://… or heartbeat:",
        "heartbeat:web-02 | must be tcp://host:port, http(s)://… or heartbeat:",
        "tcp://host | needs a port, as in tcp://host:554",
        "tcp://host: | needs a port, as in tcp://host:554",
        "tcp://host:0 | needs a port from 1 to 65535",
        "tcp://host:65536 | needs a port from 1 to 65535",
        "tcp://host:99999999999 | needs a host name or IP address, with IPv6 in brackets",
        "tcp://::1:80 | needs a host name or IP address, with IPv6 in brackets",
        "tcp:host:80 | needs a host name or IP address, with IPv6 in brackets",
        "tcp://user@host:80 | must not carry a user name or password",
        "tcp://host:80/ | must end after the port",
        "tcp://host:80?x | must end after the port",
        "tcp://host:80#x | must not have a fragment",
        "https:// | is not a URL",
        "https:///path | needs a host name or IP address, with IPv6 in brackets",
        "https://user:secret@host/ | must not carry a user name or password",
        "https://host:70000/ | needs a port from 1 to 65535",
        "http://host/a b | is not a URL",
      })
  void anything_else_is_refused_with_the_reason(String text, String reason) {
    assertThatThrownBy(() -> AssetAddress.read(text))
        .isInstanceOf(AssetAddress.Malformed.class)
        .hasMessageStartingWith(reason);
  }

  @Test
  void an_endless_address_is_refused() {
    assertThatThrownBy(() -> AssetAddress.read("http://host/" + "a".repeat(2048)))
        .hasMessage("must have at most 2048 characters");
  }
}
