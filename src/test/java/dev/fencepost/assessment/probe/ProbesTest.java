package dev.fencepost.assessment.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.platform.outgoing.TestDoors;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbesTest {

  private static final Vertx VERTX = Vertx.vertx();
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final List<String> LOOPBACK = List.of("127.0.0.0/8");
  private static final Effect EFFECT =
      new Effect(
          "t1:online",
          new FencingToken(7),
          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

  private final Entropy entropy =
      new Entropy() {
        @Override
        public Instant now() {
          return NOW;
        }
      };

  @AfterAll
  static void close() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void an_accepted_connection_means_the_host_is_online() throws IOException {
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var online = probe(tcp(server), LONG);

      assertThat(online.reachable()).isTrue();
      assertThat(online.method()).isEqualTo("tcp");
      assertThat(online.evidence())
          .matches("tcp " + server.getLocalPort() + " connected in [0-9]+ ms");
      assertThat(online.checkedAt()).isEqualTo(NOW);
    }
  }

  @Test
  void a_refused_port_means_the_host_is_online() throws IOException {
    var port = closedPort();
    var online = probe(URI.create("tcp://127.0.0.1:" + port), LONG);

    assertThat(online.reachable()).isTrue();
    assertThat(online.evidence()).matches("tcp " + port + " refused in [0-9]+ ms");
  }

  @Test
  void silence_means_the_host_is_offline() throws IOException {
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var first = new Socket();
        var second = new Socket()) {
      first.connect(full.getLocalSocketAddress());
      second.connect(full.getLocalSocketAddress()); // the backlog is full: no SYN is answered

      var online = probe(tcp(full), SHORT);

      assertThat(online.reachable()).isFalse();
      assertThat(online.evidence())
          .isEqualTo("tcp " + full.getLocalPort() + " timed out after 300 ms");
    }
  }

  @ParameterizedTest
  @CsvSource({"200, true", "302, true", "404, true", "499, true", "500, false", "503, false"})
  void the_http_status_decides(int status, boolean reachable) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    var seen = new CopyOnWriteArrayList<String>();
    server.createContext(
        "/health",
        exchange -> {
          EFFECT
              .headers()
              .keySet()
              .forEach(name -> seen.add(exchange.getRequestHeaders().getFirst(name)));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    try {
      var online =
          probe(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/health"), LONG);

      assertThat(online.reachable()).isEqualTo(reachable);
      assertThat(online.method()).isEqualTo("http");
      assertThat(online.evidence()).matches("http " + status + " in [0-9]+ ms");
      assertThat(seen).containsExactlyInAnyOrderElementsOf(EFFECT.headers().values());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void a_refused_http_port_means_the_host_is_online() throws IOException {
    var online = probe(URI.create("https://127.0.0.1:" + closedPort() + "/"), LONG);

    assertThat(online.reachable()).isTrue();
    assertThat(online.evidence()).matches("https refused in [0-9]+ ms");
  }

  @Test
  void http_silence_means_the_host_is_offline() throws IOException {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var online = probe(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"), SHORT);

      assertThat(online.reachable()).isFalse();
      assertThat(online.evidence()).isEqualTo("http timed out after 300 ms");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp://no-such-host.invalid:80",
        "http://no-such-host.invalid/",
        "tcp://169.254.169.254:80",
        "http://169.254.169.254/latest/meta-data",
        "tcp://cam-01",
        "mqtt://127.0.0.1:1883"
      })
  void a_probe_that_cannot_run_is_a_failed_step_and_no_answer(String address) {
    var uri = URI.create(address);

    assertThatThrownBy(() -> probe(uri, LONG)).isInstanceOf(ProbeFailed.class);
  }

  @Test
  void a_broken_exchange_is_a_failed_step_and_no_answer() throws IOException {
    try (var rude = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Infrastructure.getDefaultExecutor().execute(() -> hangUpOnce(rude));
      var uri = URI.create("http://127.0.0.1:" + rude.getLocalPort() + "/s3cret");

      assertThatThrownBy(() -> probe(uri, LONG))
          .isInstanceOf(ProbeFailed.class)
          .hasMessageNotContaining("s3cret");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4, true, heartbeat 4 s ago",
    "29, true, heartbeat 29 s ago",
    "30, false, no heartbeat for 30 s",
    "95, false, no heartbeat for 95 s",
    "-2, true, heartbeat 0 s ago"
  })
  void a_heartbeat_is_good_for_its_time_limit(long age, boolean reachable, String evidence) {
    var online = heartbeat(Uni.createFrom().item(Optional.of(NOW.minusSeconds(age))));

    assertThat(online).isEqualTo(new Online(reachable, "heartbeat", evidence, NOW));
  }

  @Test
  void a_device_that_was_never_heard_is_offline() {
    var online = heartbeat(Uni.createFrom().item(Optional.empty()));

    assertThat(online).isEqualTo(new Online(false, "heartbeat", "never sent a heartbeat", NOW));
  }

  @Test
  void a_store_that_does_not_answer_is_a_failed_step() {
    assertThatThrownBy(() -> heartbeat(Uni.createFrom().nothing())).isInstanceOf(ProbeFailed.class);
  }

  private Online probe(URI address, Duration timeout) {
    return probes(id -> Uni.createFrom().nothing())
        .probe(address, "cam-01", EFFECT, timeout)
        .await()
        .atMost(LONG);
  }

  private Online heartbeat(Uni<Optional<Instant>> last) {
    return probes(id -> id.equals("cam-01") ? last : Uni.createFrom().nothing())
        .probe(URI.create("heartbeat:device"), "cam-01", EFFECT, SHORT)
        .await()
        .atMost(LONG);
  }

  private Probes probes(DeviceHeartbeats heartbeats) {
    return new Probes(
        new TcpProbe(TestDoors.tcp(VERTX, LOOPBACK), entropy),
        new HttpProbe(TestDoors.http(VERTX, LOOPBACK), entropy),
        new HeartbeatProbe(heartbeats, entropy, Duration.ofSeconds(30)));
  }

  private static URI tcp(ServerSocket server) {
    return URI.create("tcp://127.0.0.1:" + server.getLocalPort());
  }

  private static void hangUpOnce(ServerSocket server) {
    try (var socket = server.accept()) {
      socket.getInputStream().read(new byte[1024]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
