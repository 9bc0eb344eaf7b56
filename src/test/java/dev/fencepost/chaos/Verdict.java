package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * How a scenario ended.
 *
 * @param lies answers that did not turn out true
 */
record Verdict(History history, List<Violation> violations, List<String> lies) {

  long late() {
    return CallChecker.late(history.calls());
  }

  /** The line that a run is known by. */
  void print(String scenario, int kills, int stalls, Load load) {
    var line =
        "chaos: tickets=%d kills=%d stalls=%d stale_refused=%d violations=%d"
            .formatted(
                history.tickets().size(),
                kills,
                stalls,
                history.refusals(),
                violations.size() + lies.size());
    System.out.printf(
        "%s [%s: finished=%d failed=%d repeated_calls=%d late_calls=%d answers=%s broken=%s]%n",
        line,
        scenario,
        history.countOf("FINISHED"),
        history.countOf("FAILED"),
        history.repeats(),
        late(),
        load.answers(),
        ChaosChecker.summary(violations));
  }

  /** Fails with what is broken. */
  void assertTrue() {
    assertThat(violations).as(ChaosChecker.describe(violations)).isEmpty();
    assertThat(lies).isEmpty();
  }
}
