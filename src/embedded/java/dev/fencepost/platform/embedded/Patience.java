package dev.fencepost.platform.embedded;

import dev.fencepost.platform.time.Entropy;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The one place that waits for another process. It blocks: there is no event loop yet, or none any
 * more.
 */
final class Patience {

  /** Looking costs a few system calls, and a server takes some 100 ms to start. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private Patience() {}

  /** Whether {@code done} came true within the limit. */
  static boolean until(Duration limit, BooleanSupplier done) {
    var clock = new Entropy();
    var start = clock.nanoTime();
    while (!done.getAsBoolean()) {
      if (clock.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_EVERY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoresUnavailable("interrupted while waiting for an embedded store", e);
    }
  }
}
