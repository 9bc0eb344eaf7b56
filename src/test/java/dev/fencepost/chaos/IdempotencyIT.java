package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One key, one effect, one answer, over two processes that are killed, stopped and cut off. */
class IdempotencyIT {

  private static final int AT_ONCE = 100;
  private static final Duration TAKEN_OVER_WITHIN = Duration.ofSeconds(20);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private static Arena arena;
  private static Load load;

  private final String asset = "idem-" + NUMBER.incrementAndGet();
  private final String key = UUID.randomUUID().toString();

  @BeforeAll
  static void start() {
    arena = Arena.open("idempotency", "a", "b");
    load = new Load(arena.outside());
  }

  @AfterAll
  static void end() {
    arena.close();
  }

  @Test
  void an_answer_that_was_cut_off_is_the_answer_to_the_repeat() throws IOException {
    load.register(b(), asset);
    assertThat(postIntoTheVoid()).isEmpty();

    var again = answered(b());
    assertThat(again.headers().firstValue("X-Idempotent-Replayed")).hasValue("true");
    assertSame(again, answered(a()));
    assertOneTicket(again);
  }

  @Test
  void a_process_killed_between_its_answer_and_the_client_leaves_the_answer_behind()
      throws IOException {
    load.register(b(), asset);
    assertThat(postIntoTheVoid()).isEmpty();
    a().killAndReplace();

    var again = answered(b());
    assertThat(again.headers().firstValue("X-Idempotent-Replayed")).hasValue("true");
    assertOneTicket(again);
    a().awaitReady();
    assertSame(again, answered(a()));
  }

  @Test
  void a_process_killed_between_effect_and_record_is_succeeded_within_the_lease() {
    load.register(b(), asset);
    var hold = arena.outside().holdNext("VULNERABILITY_QUERY");
    try (var clients = new Workers()) {
      clients.start(() -> post(a().at(path()), 30));
      hold.awaitEntered();
      var opened = Scenarios.ticketOf(arena, asset).orElseThrow().ticketId();
      a().killAndReplace();
      hold.release();

      assertThat(post(b().at(path()), 0).orElseThrow().statusCode()).isIn(202, 409);
      var again = answered(b());
      assertThat(again.body()).contains(opened);
      assertOneTicket(again);
      a().awaitReady();
      assertSame(again, answered(a()));
      assertThat(status(b())).contains("\"state\":\"completed\"");
    }
  }

  @Test
  void a_hundred_requests_at_once_are_one() {
    load.register(b(), asset);
    Queue<HttpResponse<String>> answers = new ConcurrentLinkedQueue<>();
    try (var clients = new Workers()) {
      for (var i = 0; i < AT_ONCE; i++) {
        var replica = arena.replicas().get(i % 2);
        clients.start(() -> answers.add(post(replica.at(path()), 0).orElseThrow()));
      }
      clients.awaitAll(90);
    }
    var stands = answered(a());
    assertThat(answers)
        .hasSize(AT_ONCE)
        .allSatisfy(
            answer -> {
              if (answer.statusCode() == 409 || answer.statusCode() == 503) {
                // 503: on a starved machine Redis may be silent for longer than its time limit.
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                assertThat(answer.body()).containsAnyOf("key-in-progress", "unavailable");
              } else {
                assertSame(stands, answer);
              }
            });
    assertThat(answers.stream().filter(a -> replayed(a).equals(Optional.of("false"))))
        .filteredOn(answer -> answer.statusCode() < 300)
        .hasSizeLessThanOrEqualTo(1);
    assertSame(stands, answered(b()));
    assertOneTicket(stands);
  }

  @Test
  void a_stopped_process_that_goes_on_answers_with_what_stands() {
    load.register(b(), asset);
    var hold = arena.outside().holdNext("VULNERABILITY_QUERY");
    var late = new AtomicReference<Optional<HttpResponse<String>>>(Optional.empty());
    try (var clients = new Workers()) {
      clients.start(() -> late.set(post(a().at(path()), 30)));
      hold.awaitEntered();
      a().stop();
      var stands = answered(b());
      hold.release();
      Patience.until(
          "the ticket has ended",
          TAKEN_OVER_WITHIN,
          () -> Scenarios.ticketOf(arena, asset).orElseThrow().status().equals("FINISHED"));
      a().goOn();
      clients.awaitAll(60);

      assertSame(stands, late.get().orElseThrow());
      assertThat(replayed(late.get().orElseThrow())).hasValue("true");
      assertSame(stands, answered(a()));
      assertSame(stands, answered(b()));
      assertOneTicket(stands);
      assertThat(refusals()).singleElement().matches(e -> e.outcome().equals("STALE_TOKEN"));
      assertThat(metrics(a())).contains("fencepost_idempotency_total{outcome=\"stale\"} 1.0");
    }
  }

  /** The request gets through and is carried out; the answer does not come back. */
  private Optional<HttpResponse<String>> postIntoTheVoid() throws IOException {
    try (var proxy = new Proxy(a().at("/").getPort());
        var clients = new Workers()) {
      clients.start(() -> proxy.loseReplies(3_000));
      Patience.pause(300);
      var answer = post(URI.create("http://127.0.0.1:" + proxy.port() + path()), 0);
      clients.awaitAll(20);
      Patience.until(
          "the answer is stored",
          TAKEN_OVER_WITHIN,
          () -> status(b()).contains("\"state\":\"completed\""));
      return answer;
    }
  }

  private HttpResponse<String> answered(ServiceProcess replica) {
    var last = new AtomicReference<HttpResponse<String>>();
    Patience.until(
        "the key is answered",
        TAKEN_OVER_WITHIN,
        () -> {
          post(replica.at(path()), 0).ifPresent(last::set);
          return last.get() != null && last.get().statusCode() < 300;
        });
    return last.get();
  }

  private Optional<HttpResponse<String>> post(URI at, int waitSeconds) {
    return send(
        HttpRequest.newBuilder(at)
            .timeout(Duration.ofSeconds(60))
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .header("Prefer", "wait=" + waitSeconds)
            .POST(BodyPublishers.ofString("{\"force\":true}"))
            .build());
  }

  private String status(ServiceProcess replica) {
    return get(replica, "/v1/idempotency-keys/" + key);
  }

  private static String metrics(ServiceProcess replica) {
    return get(replica, "/q/metrics");
  }

  private static String get(ServiceProcess replica, String path) {
    return send(HttpRequest.newBuilder(replica.at(path)).timeout(Duration.ofSeconds(30)).build())
        .map(HttpResponse::body)
        .orElse("");
  }

  private static Optional<HttpResponse<String>> send(HttpRequest request) {
    try {
      return Optional.of(
          HTTP.send(LoggedIn.asAdmin(request, a().at("/")), BodyHandlers.ofString()));
    } catch (IOException noAnswer) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertSame(HttpResponse<String> first, HttpResponse<String> again) {
    assertThat(again.statusCode()).isEqualTo(first.statusCode());
    assertThat(again.body()).isEqualTo(first.body());
    for (var header : List.of("Content-Type", "Location")) {
      assertThat(again.headers().firstValue(header)).isEqualTo(first.headers().firstValue(header));
    }
  }

  private void assertOneTicket(HttpResponse<String> answer) {
    var tickets =
        arena.history().tickets().values().stream()
            .filter(ticket -> ticket.assetId().equals(asset))
            .toList();
    assertThat(tickets).hasSize(1);
    assertThat(answer.body()).contains("\"ticket_id\":\"" + tickets.get(0).ticketId() + "\"");
  }

  private static List<Event> refusals() {
    return arena.history().lanes().stream()
        .flatMap(List::stream)
        .filter(event -> event.fields().getOrDefault("resource_type", "").equals("idempotency_key"))
        .toList();
  }

  private static Optional<String> replayed(HttpResponse<String> answer) {
    return answer.headers().firstValue("X-Idempotent-Replayed");
  }

  private String path() {
    return "/v1/assets/" + asset + "/assessments";
  }

  private static ServiceProcess a() {
    return arena.replicas().get(0);
  }

  private static ServiceProcess b() {
    return arena.replicas().get(1);
  }
}
