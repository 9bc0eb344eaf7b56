package dev.fencepost.chaos;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting, always with an end. */
public final class Patience {

  private static final int LOOK_EVERY_MS = 50;

  private Patience() {}

  public static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void until(String what, Duration limit, BooleanSupplier condition) {
    if (!holdsWithin(limit, condition)) {
      throw new AssertionError("waited " + limit + " in vain until " + what);
    }
  }

  static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
    var end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      pause(LOOK_EVERY_MS);
    }
    return true;
  }
}
