package dev.fencepost.platform.outgoing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.outgoing.Unreachable.Kind;
import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class NoAnswerTest {

  private static final String SECRET = "/robot/send?access_token=s3cret";

  @Test
  void every_failure_has_its_kind() {
    Map<Throwable, Kind> expected = new LinkedHashMap<>();
    expected.put(new ConnectException("Connection refused: " + SECRET), Kind.REFUSED);
    expected.put(new ConnectException("Connection timed out: " + SECRET), Kind.TIMED_OUT);
    expected.put(new ConnectTimeoutException(SECRET), Kind.TIMED_OUT);
    expected.put(new NoRouteToHostException("No route to host " + SECRET), Kind.NO_ROUTE);
    expected.put(new SocketException("Network is unreachable: " + SECRET), Kind.NO_ROUTE);
    expected.put(new UnknownHostException(SECRET), Kind.UNKNOWN_HOST);
    expected.put(new BindException("Cannot assign requested address"), Kind.BROKEN);
    expected.put(new ConnectionPoolTooBusyException(SECRET), Kind.BROKEN);
    expected.put(new SSLHandshakeException(SECRET), Kind.BROKEN);
    expected.put(new SocketException("Connection reset " + SECRET), Kind.BROKEN);
    expected.put(new IOException(SECRET), Kind.BROKEN);

    var endpoint = new Endpoint("h.example", 443);
    var found =
        expected.keySet().stream()
            .collect(
                Collectors.toMap(
                    failure -> failure,
                    failure -> NoAnswer.of(failure, endpoint, false),
                    (a, b) -> a,
                    LinkedHashMap::new));

    assertThat(found.values().stream().map(Unreachable::kind))
        .containsExactlyElementsOf(expected.values());
    assertThat(found.values())
        .allSatisfy(
            failure ->
                assertThat(failure.detail()).startsWith("h.example:443 ").doesNotContain("s3cret"));
  }
}
