package dev.fencepost.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One request that the outside does not answer until it is let go. */
final class Hold {

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final String step;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile String token;

  Hold(String step) {
    this.step = step;
  }

  boolean isFor(String asked) {
    return step.equals(asked);
  }

  boolean isIn(String commands) {
    return commands.contains(step);
  }

  /** Waits until the request is here; its sender is in the middle of the step then. */
  void awaitEntered() {
    await(entered, "a request for " + step);
  }

  /** The fencing token that the request carried. */
  long token() {
    return Long.parseLong(token);
  }

  void release() {
    released.countDown();
  }

  void enter(String fencingToken) {
    token = fencingToken;
    entered.countDown();
    await(released, "the release of " + step);
  }

  private static void await(CountDownLatch latch, String what) {
    try {
      if (!latch.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("waited " + LONGEST + " in vain for " + what);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
