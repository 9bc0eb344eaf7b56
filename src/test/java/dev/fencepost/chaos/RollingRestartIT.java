package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Three processes are replaced one after the other, while clients go on as if nothing happened. */
class RollingRestartIT {

  private static final int CLIENTS = 4;
  private static final int ASSETS = 24;
  private static final int CAMERAS = 4;
  private static final int SLOWEST_ANSWER_MS = 300;

  /** A Redis that a busy machine keeps from answering for seconds is not what is tested. */
  private static final Map<String, String> PATIENT = Map.of("fencepost.redis.timeout", "10s");

  private static final Duration DRAIN = Duration.ofSeconds(30);

  /** Lease and sweep are 3 s; the rest is for a machine that does other things as well. */
  private static final Duration LATEST = Arena.LEASE.plusSeconds(1).plusSeconds(7);

  @Test
  void no_request_fails_no_ticket_is_late_and_no_stop_is_lost() {
    try (var arena = Arena.with(PATIENT, "rolling", "a", "b", "c");
        var clients = new Workers()) {
      var load = new Load(arena.outside());
      IntStream.range(0, ASSETS).forEach(i -> load.register(arena.replicas().get(i % 3), asset(i)));
      arena.outside().slowDown(SLOWEST_ANSWER_MS);
      var enough = new AtomicBoolean();
      var nomads =
          IntStream.range(0, CLIENTS + CAMERAS)
              .mapToObj(i -> new Nomad(arena.replicas(), i))
              .toList();
      for (var i = 0; i < CLIENTS; i++) {
        var client = i;
        clients.start(() -> ask(nomads.get(client), client, enough));
      }
      var cameras = IntStream.range(0, CAMERAS).mapToObj(i -> new Camera("rolling-" + i)).toList();
      for (var i = 0; i < CAMERAS; i++) {
        var camera = cameras.get(i);
        var nomad = nomads.get(CLIENTS + i);
        clients.start(() -> camera.live(nomad, enough));
      }

      for (var replica : arena.replicas()) {
        Patience.pause(1_000);
        replica.terminate(DRAIN);
        replica.start();
        replica.awaitReady();
      }
      Patience.pause(1_000);
      enough.set(true);
      clients.awaitAll(90);

      var verdict = Chaos.judge(arena, load, Duration.ofSeconds(60));
      var latest = latest(verdict.history());
      System.out.printf(
          "rolling: tickets=%d requests=%d moved=%d stops=%d longest_pause_ms=%d failed=%d%n",
          verdict.history().tickets().size(),
          nomads.stream().mapToInt(Nomad::answered).sum(),
          nomads.stream().mapToInt(Nomad::moved).sum(),
          cameras.stream().mapToInt(camera -> camera.stops().size()).sum(),
          latest,
          nomads.stream().mapToInt(nomad -> nomad.failures().size()).sum());
      assertThat(nomads.stream().flatMap(nomad -> nomad.failures().stream())).isEmpty();
      assertThat(nomads.stream().mapToInt(Nomad::moved).sum()).as("somebody had to").isPositive();
      verdict.assertTrue();
      assertThat(verdict.history().countOf("FINISHED"))
          .isEqualTo(verdict.history().tickets().size())
          .isPositive();
      assertThat(latest).isLessThan(LATEST.toMillis());
      cameras.forEach(camera -> camera.assertNoStopLost(arena.replicas().get(0)));
    }
  }

  private static void ask(Nomad nomad, int client, AtomicBoolean enough) {
    for (var i = client; !enough.get(); i += CLIENTS) {
      var answer =
          nomad.post(
              "/v1/assets/" + asset(i % ASSETS) + "/assessments",
              "{\"force\":true}",
              Map.of("Prefer", "wait=" + i % 3));
      if (answer.statusCode() != 200 && answer.statusCode() != 202) {
        nomad.fail("an assessment", answer);
      }
    }
  }

  /** The longest time in which nothing happened to a ticket that was not at its end. */
  private static long latest(History history) {
    var last = new HashMap<String, Long>();
    var longest = 0L;
    for (var event : history.lanes().stream().flatMap(List::stream).toList()) {
      if (event.action().startsWith("TICKET_")) {
        var before = last.put(event.ticketId(), event.atMillis());
        longest = before == null ? longest : Math.max(longest, event.atMillis() - before);
      }
    }
    return longest;
  }

  private static String asset(int number) {
    return "rolling-" + number;
  }
}
