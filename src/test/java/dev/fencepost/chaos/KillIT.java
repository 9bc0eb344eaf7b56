package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** SIGKILL at any moment. */
class KillIT {

  private static final int ASSESSMENTS = Chaos.number("chaos.assessments", 60);
  private static final int AT_ONCE = 15;
  private static final int SLOWEST_ANSWER_MS = 500;
  private static final int LONGEST_LIFE_MS = 1_200;

  /** A client tries until someone promises it a ticket; a replica is away for seconds only. */
  private static final int MOST_TRIES = 600;

  @Test
  void every_assessment_ends_and_is_told_of_once_whenever_its_holder_is_killed() {
    var random = new Random(Chaos.seed());
    var kills = 0;
    try (var arena = Arena.open("kill", "a", "b");
        var clients = new Workers()) {
      var load = new Load(arena.outside());
      for (var i = 0; i < ASSESSMENTS; i++) {
        load.register(arena.replicas().get(i % 2), asset(i));
      }
      arena.outside().slowDown(SLOWEST_ANSWER_MS);
      for (var i = 0; i < ASSESSMENTS; i++) {
        var number = i;
        clients.start(() -> ask(arena, load, number));
        if (i % AT_ONCE == AT_ONCE - 1) {
          Patience.pause(random.nextInt(LONGEST_LIFE_MS));
          var victim = arena.replicas().get(random.nextInt(2));
          victim.killAndReplace();
          kills++;
          victim.awaitReady();
        }
      }
      clients.awaitAll(60);
      var verdict = Chaos.judge(arena, load, Duration.ofSeconds(60));
      verdict.print("kill", kills, 0, load);
      verdict.assertTrue();
      assertThat(verdict.history().tickets()).hasSizeGreaterThanOrEqualTo(ASSESSMENTS);
      assertThat(verdict.history().countOf("FINISHED")).isGreaterThan(ASSESSMENTS * 9L / 10);
      assertThat(verdict.late()).as("nobody stood still, so no call is late").isZero();
      assertThat(kills).isEqualTo(ASSESSMENTS / AT_ONCE);
    }
  }

  private static void ask(Arena arena, Load load, int number) {
    var tries = 0;
    while (!load.assess(arena.replicas().get((number + tries) % 2), asset(number), 0)) {
      if (++tries > MOST_TRIES) {
        throw new AssertionError("nobody takes " + asset(number));
      }
      Patience.pause(100);
    }
  }

  private static String asset(int number) {
    return "kill-" + number;
  }
}
