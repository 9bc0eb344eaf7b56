package dev.fencepost.platform.outgoing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.fencepost.platform.outgoing.OutgoingHttp.Answer;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable.Kind;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VertxOutgoingHttpTest {

  private static final Vertx VERTX = Vertx.vertx();
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final OutgoingHttp http = TestDoors.http(VERTX);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @AfterAll
  static void close() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void the_answer_comes_with_status_headers_and_body() {
    server.createContext(
        "/echo",
        exchange -> {
          var body = exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("X-Seen", exchange.getRequestURI().toString());
          exchange
              .getResponseHeaders()
              .add("X-Host", exchange.getRequestHeaders().getFirst("Host"));
          exchange.getResponseHeaders().add("X-Key", exchange.getRequestHeaders().getFirst("K"));
          exchange.sendResponseHeaders(418, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });

    var answer =
        ask(
            new Request(
                "POST",
                uri("localhost", "/echo?a=%20b"),
                Map.of("K", "v"),
                "hello".getBytes(UTF_8),
                LONG,
                100,
                Reach.GUARDED));

    assertThat(answer.status()).isEqualTo(418);
    assertThat(new String(answer.body(), UTF_8)).isEqualTo("hello");
    assertThat(answer.header("x-seen")).hasValue("/echo?a=%20b");
    assertThat(answer.header("X-Host")).hasValue("localhost:" + port());
    assertThat(answer.header("X-Key")).hasValue("v");
  }

  @Test
  void user_info_becomes_basic_authentication() {
    server.createContext(
        "/",
        exchange -> {
          exchange
              .getResponseHeaders()
              .add("X-Auth", exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });

    assertThat(ask(get(uri("u:p@127.0.0.1", "/"))).header("X-Auth")).hasValue("Basic dTpw");
  }

  @Test
  void a_redirect_is_an_answer_and_not_followed() {
    var followed = new AtomicInteger();
    server.createContext(
        "/from",
        exchange -> {
          exchange.getResponseHeaders().add("Location", uri("127.0.0.1", "/to").toString());
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    server.createContext(
        "/to",
        exchange -> {
          followed.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });

    assertThat(ask(get(uri("127.0.0.1", "/from"))).status()).isEqualTo(302);
    assertThat(followed).hasValue(0);
  }

  @Test
  void a_longer_answer_than_allowed_is_cut_off() {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          pour(exchange.getResponseBody());
        });

    var failure = failure(get(uri("127.0.0.1", "/")));

    assertThat(failure.kind()).isEqualTo(Kind.TOO_LARGE);
    assertThat(failure.mayHaveBeenSent()).isTrue();
  }

  @Test
  void the_bound_is_exact() {
    server.createContext(
        "/",
        exchange -> {
          var length = Integer.parseInt(exchange.getRequestURI().getQuery());
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(new byte[length]);
          exchange.close();
        });

    assertThat(ask(get(uri("127.0.0.1", "/?1000"))).body()).hasSize(1000);
    assertThat(failure(get(uri("127.0.0.1", "/?1001"))).kind()).isEqualTo(Kind.TOO_LARGE);
  }

  @Test
  void an_endless_answer_is_an_answer_when_its_body_is_not_wanted() {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          pour(exchange.getResponseBody());
        });

    var answer =
        ask(
            new Request(
                "GET", uri("127.0.0.1", "/"), Map.of(), new byte[0], LONG, 0, Reach.GUARDED));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void a_refused_connection_was_not_sent() throws IOException {
    var failure = failure(get(URI.create("http://127.0.0.1:" + closedPort() + "/s3cret?k=s3cret")));

    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure.mayHaveBeenSent()).isFalse();
    assertThat(failure.detail()).contains("127.0.0.1").doesNotContain("s3cret");
  }

  @Test
  void a_name_that_does_not_resolve_is_an_unknown_host() {
    var failure = failure(get(URI.create("http://u:s3cret@no-such-host.invalid/s3cret")));

    assertThat(failure.kind()).isEqualTo(Kind.UNKNOWN_HOST);
    assertThat(failure.mayHaveBeenSent()).isFalse();
    assertThat(failure.detail()).contains("no-such-host.invalid").doesNotContain("s3cret");
  }

  @Test
  void silence_after_the_request_leaves_it_in_doubt() throws IOException {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var failure = failure(get(uri(silent), SHORT));

      assertThat(failure.kind()).isEqualTo(Kind.TIMED_OUT);
      assertThat(failure.mayHaveBeenSent()).isTrue();
    }
  }

  @Test
  void silence_before_the_request_means_it_was_not_sent() throws IOException {
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var first = new Socket();
        var second = new Socket()) {
      first.connect(full.getLocalSocketAddress());
      second.connect(full.getLocalSocketAddress()); // the backlog is full: no SYN is answered
      var failure = failure(get(uri(full), SHORT));

      assertThat(failure.kind()).isEqualTo(Kind.TIMED_OUT);
      assertThat(failure.mayHaveBeenSent()).isFalse();
    }
  }

  @Test
  void a_connection_closed_without_an_answer_is_broken_and_in_doubt() throws IOException {
    try (var rude = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Infrastructure.getDefaultExecutor().execute(() -> answerOnce(rude, ""));
      var failure = failure(get(uri(rude)));

      assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
      assertThat(failure.mayHaveBeenSent()).isTrue();
    }
  }

  @Test
  void an_answer_that_is_not_http_is_broken() throws IOException {
    try (var odd = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Infrastructure.getDefaultExecutor().execute(() -> answerOnce(odd, "SSH-2.0-s3cret\r\n\r\n"));
      var failure = failure(get(uri(odd)));

      assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
      assertThat(failure.detail()).doesNotContain("s3cret");
    }
  }

  @Test
  void a_failed_handshake_is_broken_and_was_not_sent() throws IOException {
    try (var plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Infrastructure.getDefaultExecutor()
          .execute(() -> answerOnce(plain, "HTTP/1.1 400 Bad Request\r\n\r\n"));
      var failure =
          failure(get(URI.create("https://127.0.0.1:" + plain.getLocalPort() + "/s3cret")));

      assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
      assertThat(failure.mayHaveBeenSent()).isFalse();
      assertThat(failure.detail()).contains("TLS").doesNotContain("s3cret");
    }
  }

  @Test
  void the_guard_holds_for_names_spellings_and_addresses() {
    var guarded = TestDoors.http(VERTX, List.of());

    for (var host : List.of("localhost", "127.0.0.1", "2130706433", "0x7f.1", "[::ffff:7f00:1]")) {
      assertThatThrownBy(() -> guarded.send(get(uri(host, "/s3cret"))).await().atMost(LONG))
          .isInstanceOf(ForbiddenAddress.class)
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void the_address_that_was_judged_is_the_one_that_is_connected() throws IOException {
    answers(server, 200);
    var forbidden = HttpServer.create(new InetSocketAddress("127.0.0.2", port()), 16);
    answers(forbidden, 500);
    forbidden.start();
    try (var rebound = new Rebound("127.0.0.1", "127.0.0.2");
        var bound = new Rebound("127.0.0.2", "127.0.0.1")) {
      var target = get(uri("rebound.example", "/"));

      assertThat(TestDoors.http(VERTX, rebound).send(target).await().atMost(LONG).status())
          .isEqualTo(200);
      assertThat(rebound.asked).hasValue(1);
      assertThatThrownBy(() -> TestDoors.http(VERTX, bound).send(target).await().atMost(LONG))
          .isInstanceOf(ForbiddenAddress.class);
    } finally {
      forbidden.stop(0);
    }
  }

  /** A name that has one address when it is judged, and another ever after. */
  private static final class Rebound extends AddressLookup implements AutoCloseable {

    private final AtomicInteger asked = new AtomicInteger();
    private final String first;
    private final String then;

    Rebound(String first, String then) {
      super(TestDoors.guard(List.of("127.0.0.1/32"), false), TestDoors.limits(8));
      this.first = first;
      this.then = then;
    }

    @Override
    InetAddress[] addressesOf(String name) throws UnknownHostException {
      return InetAddress.getAllByName(asked.getAndIncrement() == 0 ? first : then);
    }

    @Override
    public void close() {
      super.close();
    }
  }

  private static void answers(HttpServer server, int status) {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }

  @Test
  void the_guard_does_not_ask_about_what_the_operator_vouches_for() {
    answers(server, 204);

    var request =
        new Request("GET", uri("localhost", "/"), Map.of(), new byte[0], LONG, 10, Reach.TRUSTED);
    assertThat(TestDoors.http(VERTX, List.of()).send(request).await().atMost(LONG).status())
        .isEqualTo(204);
  }

  @Test
  void more_than_the_limit_is_refused_and_places_come_back() throws IOException {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var one = TestDoors.http(VERTX, List.of("127.0.0.1"), TestDoors.limits(1));
      var waiting = one.send(get(uri(silent), LONG)).subscribe().with(answer -> {}, failure -> {});
      assertThatThrownBy(() -> one.send(get(uri(silent), SHORT)).await().atMost(LONG))
          .isInstanceOfSatisfying(
              Unreachable.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN));

      waiting.cancel();
      assertThatThrownBy(() -> one.send(get(uri(silent), SHORT)).await().atMost(LONG))
          .isInstanceOfSatisfying(
              Unreachable.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
    }
  }

  @Test
  void no_fast_answer_is_missed_from_worker_threads() {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(UTF_8));
          exchange.close();
        });

    for (var reach : Reach.values()) {
      var bodies =
          Multi.createFrom()
              .range(0, 2000)
              .onItem()
              .transformToUni(
                  i ->
                      Uni.createFrom()
                          .deferred(() -> http.send(get(uri("127.0.0.1", "/" + i), reach)))
                          .runSubscriptionOn(Infrastructure.getDefaultWorkerPool()))
              .merge(64)
              .map(answer -> new String(answer.body(), UTF_8))
              .collect()
              .asList()
              .await()
              .atMost(Duration.ofSeconds(60));

      assertThat(bodies.stream().collect(Collectors.groupingBy(b -> b, Collectors.counting())))
          .isEqualTo(Map.of("ok", 2000L));
    }
  }

  @Test
  void a_request_shows_no_more_of_its_url_than_host_and_port() {
    var request = get(URI.create("https://u:s3cret@h.example/s3cret?key=s3cret"));

    assertThat(request.toString()).isEqualTo("GET to h.example:443");
  }

  private Answer ask(Request request) {
    return http.send(request).await().atMost(LONG);
  }

  private Unreachable failure(Request request) {
    return http.send(request)
        .map(answer -> new Unreachable(Kind.BROKEN, "unexpected answer " + answer.status()))
        .onFailure(Unreachable.class)
        .recoverWithItem(failure -> failure)
        .await()
        .atMost(LONG);
  }

  private static Request get(URI target) {
    return get(target, LONG);
  }

  private static Request get(URI target, Duration timeout) {
    return new Request("GET", target, Map.of(), new byte[0], timeout, 1000, Reach.GUARDED);
  }

  private static Request get(URI target, Reach reach) {
    return new Request("GET", target, Map.of(), new byte[0], LONG, 1000, reach);
  }

  private int port() {
    return server.getAddress().getPort();
  }

  private URI uri(String host, String path) {
    return URI.create("http://" + host + ":" + port() + path);
  }

  private static URI uri(ServerSocket socket) {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void answerOnce(ServerSocket server, String text) {
    try (var socket = server.accept()) {
      socket.getInputStream().read(new byte[1024]);
      socket.getOutputStream().write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  // Ends when the client hangs up.
  private static void pour(OutputStream out) throws IOException {
    var chunk = new byte[512];
    while (true) {
      out.write(chunk);
      out.flush();
    }
  }
}
