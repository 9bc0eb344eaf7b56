package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Everything at once, in an order that the seed decides. */
class MixIT {

  private static final int SHORT_RUN_SECONDS = 20;
  private static final int MINUTES = Chaos.number("chaos.minutes", 0);
  private static final int CLIENTS = 8;
  private static final int ASSETS = 48;

  @Test
  void whatever_happens_the_last_recorded_state_can_be_trusted() {
    var seed = Chaos.seed();
    var duration = MINUTES == 0 ? SHORT_RUN_SECONDS : MINUTES * 60L;
    try (var arena = Arena.open("mix", "a", "b", "c");
        var clients = new Workers()) {
      var load = new Load(arena.outside());
      IntStream.range(0, ASSETS).forEach(i -> load.register(arena.replicas().get(i % 3), asset(i)));
      arena.outside().slowDown(300);
      var enough = new AtomicBoolean();
      for (var c = 0; c < CLIENTS; c++) {
        var client = c;
        clients.start(() -> ask(arena, load, client, enough));
      }
      var faults = new Faults(arena, new Random(seed));
      var end = System.nanoTime() + Duration.ofSeconds(duration).toNanos();
      while (System.nanoTime() < end) {
        faults.next();
      }
      faults.end();
      enough.set(true);
      clients.awaitAll(90);
      var verdict = Chaos.judge(arena, load, Duration.ofSeconds(90));
      verdict.print("mix, seed " + seed + ", " + faults, faults.kills(), faults.stalls(), load);
      verdict.assertTrue();
      assertThat(verdict.history().countOf("FINISHED")).isPositive();
    }
  }

  private static void ask(Arena arena, Load load, int client, AtomicBoolean enough) {
    for (var i = client; !enough.get(); i += CLIENTS) {
      load.assess(arena.replicas().get(i % 3), asset(i % ASSETS), i % 3);
      Patience.pause(50);
    }
  }

  private static String asset(int number) {
    return "mix-" + number;
  }
}
