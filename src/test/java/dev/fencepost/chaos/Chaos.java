package dev.fencepost.chaos;

import java.time.Duration;

/** What a run is told from outside, and how it is judged. */
final class Chaos {

  private Chaos() {}

  /** The same seed makes the same choices; what comes of them is up to the machine. */
  static long seed() {
    return number("chaos.seed", 1);
  }

  static int number(String property, int shortRun) {
    var text = System.getProperty(property, "");
    return text.isEmpty() ? shortRun : Integer.parseInt(text);
  }

  /**
   * Waits until every ticket has come to an end, and then judges.
   *
   * @param limit how long that may take after the last fault
   */
  static Verdict judge(Arena arena, Load load, Duration limit) {
    Patience.holdsWithin(limit, () -> allEnded(arena.history()));
    // A holder that went on a moment ago may still have its report to make.
    Patience.pause(Arena.LEASE.toMillis());
    var history = arena.history();
    return new Verdict(history, ChaosChecker.check(history), load.lies(history));
  }

  private static boolean allEnded(History history) {
    return history.tickets().size() == history.countOf("FINISHED") + history.countOf("FAILED");
  }
}
