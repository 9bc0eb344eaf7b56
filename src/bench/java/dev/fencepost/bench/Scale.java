package dev.fencepost.bench;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds how often each side takes its turn
 * @param round how long one turn lasts
 * @param counts what a count of things, e.g. tickets, is divided by
 */
record Scale(int rounds, Duration round, int counts) {

  static final Scale FULL = new Scale(4, Duration.ofMillis(1000), 1);
  static final Scale SMOKE = new Scale(2, Duration.ofMillis(150), 100);

  int of(int count) {
    return Math.max(1, count / counts);
  }

  boolean isSmoke() {
    return counts > 1;
  }

  Scale rounds(int fewer) {
    return new Scale(Math.min(rounds, fewer), round, counts);
  }
}
