package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A harness that has never found anything proves nothing: this build must be found out. */
class BrokenBuildIT {

  @Test
  void a_build_without_its_fence_is_found_out() {
    try (var arena = Arena.broken("broken", "a", "b")) {
      var load = new Load(arena.outside());
      var a = arena.replicas().get(0);
      load.register(arena.replicas().get(1), "broken-1");
      Scenarios.wakeBesideSuccessor(arena, load, a, "broken-1");
      var verdict = Chaos.judge(arena, load, Duration.ofSeconds(20));
      verdict.print("a build without its fence", 0, 1, load);
      assertThat(verdict.violations()).extracting(Violation::invariant).contains("S1");
    }
  }
}
