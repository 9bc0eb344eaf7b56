package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Five times what a process can do, offered at a steady rate that does not wait for answers. Each
 * request makes the process work for a while, so that it is the bottleneck and not its clients.
 */
class OverloadIT {

  private static final int CLIENTS_AT_CAPACITY = 16;
  private static final int TIMES = 5;
  private static final int COMPONENTS = 6_000;
  private static final int MEASURED_SECONDS = Chaos.number("chaos.overload-seconds", 5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final int MOST_TIMES_SLOWER = 3;
  private static final double MOST_TIMES_MORE_HEAP = 1.5;

  /** Many clients have many connections; over one of HTTP/2 each would wait for all others. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  private record Answer(int status, long tookMs, String body) {

    boolean isAccepted() {
      return status == 200;
    }

    boolean isRefused() {
      return status == 429 || (status == 503 && body.contains(":problem:overloaded"));
    }
  }

  @Test
  void what_is_taken_is_answered_the_rest_is_refused_at_once_and_it_is_over_when_it_is_over()
      throws IOException, InterruptedException {
    try (var arena = Arena.with(Map.of(), "overload", "o")) {
      var service = arena.replicas().get(0);
      var request = heavy(service);
      atCapacity(request, 3); // warms up
      var calm = atCapacity(request, MEASURED_SECONDS);
      var capacity = Math.max(1, calm.size() / MEASURED_SECONDS);

      steadily(request, TIMES * capacity, 4); // the limit finds its place
      var heapBefore = heap(service);
      var offered = steadily(request, TIMES * capacity, MEASURED_SECONDS);
      var heap = heap(service);
      var after = atCapacity(request, 2);

      var accepted = offered.stream().filter(Answer::isAccepted).toList();
      var refused = offered.stream().filter(Answer::isRefused).toList();
      System.out.printf(
          "overload: capacity=%d/s offered=%d/s accepted=%d/s refused=%d/s other=%s"
              + " latency_p50_ms=%d->%d ratio=%.1f p95_ms=%d->%d refusal_p50_ms=%d p95_ms=%d"
              + " heap_mb=%.0f->%.0f recovered_p50_ms=%d%n",
          capacity,
          offered.size() / MEASURED_SECONDS,
          accepted.size() / MEASURED_SECONDS,
          refused.size() / MEASURED_SECONDS,
          others(offered),
          quantile(calm, 0.5),
          quantile(accepted, 0.5),
          (double) quantile(accepted, 0.5) / Math.max(1, quantile(calm, 0.5)),
          quantile(calm, 0.95),
          quantile(accepted, 0.95),
          quantile(refused, 0.5),
          quantile(refused, 0.95),
          heapBefore / (1 << 20),
          heap / (1 << 20),
          quantile(after, 0.5));
      assertThat(Scrape.of(service, "fencepost_requests_shed_total"))
          .as("every refusal is counted")
          .isGreaterThanOrEqualTo(refused.stream().filter(a -> a.status() == 503).count());
      assertThat(others(offered)).as("an answer is a success or a refusal").isEmpty();
      assertThat(accepted).as("it goes on working").isNotEmpty();
      assertThat(refused).as("it does not take what it cannot do").isNotEmpty();
      assertThat(quantile(refused, 0.5)).as("refused at once").isLessThan(quantile(calm, 0.5) / 2);
      assertThat(quantile(accepted, 0.5))
          .as("what is taken keeps its latency")
          .isLessThanOrEqualTo(MOST_TIMES_SLOWER * quantile(calm, 0.5));
      assertThat(heap).as("nothing piles up").isLessThan(MOST_TIMES_MORE_HEAP * heapBefore);
      assertThat(after).as("over when it is over").allMatch(Answer::isAccepted);
      assertThat(quantile(after, 0.5))
          .as("and as fast as before")
          .isLessThan(2 * quantile(calm, 0.5));
    }
  }

  /** What is left after a collection. */
  private static double heap(ServiceProcess service) throws IOException, InterruptedException {
    service.collectGarbage();
    return Scrape.of(service, "jvm_memory_used_bytes", "area=\"heap\"");
  }

  private static HttpRequest heavy(ServiceProcess service) {
    var components =
        IntStream.range(0, COMPONENTS)
            .mapToObj(i -> "{\"purl\":\"pkg:maven/org.example.group/artifact-" + i + "@1.0\"}")
            .collect(Collectors.joining(",", "{\"components\":[", "]}"));
    assertThat(
            Device.put(service, "/v1/assets/heavy", "{\"address\":\"tcp://203.0.113.1:9\"}")
                .statusCode())
        .isEqualTo(201);
    assertThat(Device.put(service, "/v1/assets/heavy/inventory", components).statusCode())
        .isEqualTo(200);
    return LoggedIn.asAdmin(
        HttpRequest.newBuilder(service.at("/v1/assets/heavy/inventory"))
            .timeout(ANSWER_LIMIT)
            .build());
  }

  /** As many clients as keep the process busy, each of which waits for its answer. */
  private List<Answer> atCapacity(HttpRequest request, int seconds) {
    var answers = new ConcurrentLinkedQueue<Answer>();
    var enough = new AtomicBoolean();
    try (var clients = new Workers()) {
      for (var c = 0; c < CLIENTS_AT_CAPACITY; c++) {
        clients.start(
            () -> {
              while (!enough.get()) {
                send(request, answers).join();
              }
            });
      }
      Patience.pause(seconds * 1_000L);
      enough.set(true);
      clients.awaitAll(60);
    }
    return List.copyOf(answers);
  }

  /** So many a second, whether they are answered or not; waits for all answers at the end. */
  private List<Answer> steadily(HttpRequest request, int perSecond, int seconds)
      throws InterruptedException {
    var answers = new ConcurrentLinkedQueue<Answer>();
    var sent = perSecond * seconds;
    var begin = System.nanoTime();
    var pace = TimeUnit.SECONDS.toNanos(1) / perSecond;
    for (var i = 0; i < sent; i++) {
      var early = begin + i * pace - System.nanoTime();
      if (early > 0) {
        LockSupport.parkNanos(early);
      }
      send(request, answers);
    }
    Patience.until("all are answered", ANSWER_LIMIT.plusSeconds(5), () -> answers.size() == sent);
    return List.copyOf(answers);
  }

  private CompletableFuture<Void> send(HttpRequest request, Queue<Answer> answers) {
    var since = System.nanoTime();
    return http.sendAsync(request, BodyHandlers.ofString())
        .handle(
            (answer, failure) -> {
              answers.add(answer(answer, failure, since));
              return null;
            });
  }

  private static Answer answer(HttpResponse<String> answer, Throwable failure, long since) {
    var took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    if (answer == null) {
      return new Answer(0, took, String.valueOf(failure));
    }
    return new Answer(answer.statusCode(), took, answer.statusCode() == 200 ? "" : answer.body());
  }

  private static Map<String, Long> others(List<Answer> answers) {
    return answers.stream()
        .filter(answer -> !answer.isAccepted() && !answer.isRefused())
        .collect(Collectors.groupingBy(a -> a.status() + " " + a.body(), Collectors.counting()));
  }

  private static long quantile(List<Answer> answers, double q) {
    return answers.stream()
        .mapToLong(Answer::tookMs)
        .sorted()
        .skip((long) (q * (answers.size() - 1)))
        .findFirst()
        .orElse(0);
  }
}
