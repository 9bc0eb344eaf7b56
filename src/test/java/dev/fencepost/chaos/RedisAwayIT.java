package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Redis stands still while requests keep coming. */
class RedisAwayIT {

  private static final int AWAY_SECONDS = Chaos.number("chaos.redis-away-seconds", 8);
  private static final int CLIENTS = 8;
  private static final int ASSETS = 40;
  private static final Duration BACK_WITHIN = Duration.ofSeconds(15);

  @Test
  void no_answer_invents_a_success_and_afterwards_everything_goes_on() {
    try (var arena = Arena.open("redis-away", "a", "b");
        var clients = new Workers()) {
      var load = new Load(arena.outside());
      IntStream.range(0, ASSETS).forEach(i -> load.register(arena.replicas().get(i % 2), asset(i)));
      arena.outside().slowDown(200);
      var enough = new AtomicBoolean();
      for (var c = 0; c < CLIENTS; c++) {
        var client = c;
        clients.start(() -> ask(arena, load, client, enough));
      }
      Patience.pause(2_000);
      var before = arena.replicas().stream().map(ServiceProcess::pid).toList();

      arena.replicas().forEach(replica -> arena.proxyOf(replica).loseReplies(500));
      arena.redis().signal(Signal.STOP);
      Patience.pause(AWAY_SECONDS * 1_000L);
      assertThat(arena.replicas()).noneMatch(ServiceProcess::isReady);
      var answersWhileAway = load.answers();
      arena.redis().signal(Signal.CONT);

      Patience.until(
          "all are ready again",
          BACK_WITHIN,
          () -> arena.replicas().stream().allMatch(ServiceProcess::isReady));
      Patience.pause(2_000);
      enough.set(true);
      clients.awaitAll(60);
      var verdict = Chaos.judge(arena, load, Duration.ofSeconds(30));
      verdict.print("redis away " + AWAY_SECONDS + " s", 0, 1, load);
      verdict.assertTrue();
      assertThat(answersWhileAway).containsKey("503");
      assertThat(load.answers().get("200") + load.answers().getOrDefault("202", 0))
          .as("more tickets after than before")
          .isGreaterThan(
              answersWhileAway.getOrDefault("200", 0) + answersWhileAway.getOrDefault("202", 0));
      assertThat(arena.replicas().stream().map(ServiceProcess::pid)).isEqualTo(before);
    }
  }

  private static void ask(Arena arena, Load load, int client, AtomicBoolean enough) {
    for (var i = client; !enough.get(); i += CLIENTS) {
      load.assess(arena.replicas().get(i % 2), asset(i % ASSETS), i % 3);
      Patience.pause(50);
    }
  }

  private static String asset(int number) {
    return "away-" + number;
  }
}
