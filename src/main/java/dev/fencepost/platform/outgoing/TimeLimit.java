package dev.fencepost.platform.outgoing;

import dev.fencepost.platform.time.Entropy;
import java.time.Duration;

/** One limit over several steps: each gets what the ones before it left. */
final class TimeLimit {

  /** A limit that is over still needs a moment of its own to be reported. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private final Entropy entropy;
  private final Duration limit;
  private final long started;

  TimeLimit(Entropy entropy, Duration limit) {
    this.entropy = entropy;
    this.limit = limit;
    this.started = entropy.nanoTime();
  }

  Duration left() {
    var left = limit.minusNanos(entropy.nanoTime() - started);
    return left.compareTo(LEAST) < 0 ? LEAST : left;
  }
}
