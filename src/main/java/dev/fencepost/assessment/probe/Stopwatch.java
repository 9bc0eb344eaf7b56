package dev.fencepost.assessment.probe;

import dev.fencepost.platform.time.Entropy;
import java.util.concurrent.TimeUnit;

/** Measures one probe and dates what it saw. */
final class Stopwatch {

  private final Entropy entropy;
  private final long started;

  Stopwatch(Entropy entropy) {
    this.entropy = entropy;
    this.started = entropy.nanoTime();
  }

  Online saw(boolean reachable, String method, String what) {
    var millis = TimeUnit.NANOSECONDS.toMillis(entropy.nanoTime() - started);
    return new Online(reachable, method, what + " in " + millis + " ms", entropy.now());
  }

  Online heardNothing(String method, String what) {
    return new Online(false, method, what, entropy.now());
  }
}
