package dev.fencepost.platform.http;

import java.util.concurrent.TimeUnit;

/**
 * How fast a caller may go.
 *
 * @param perSecond requests per second over a long time
 * @param burst requests at once, having been quiet
 */
record Rate(int perSecond, int burst) {

  Rate {
    if (perSecond < 1 || burst < 1) {
      throw new IllegalArgumentException(
          "a rate and its burst must be at least 1, but were %d and %d"
              .formatted(perSecond, burst));
    }
  }

  /** What one request costs, in nanoseconds. */
  long cost() {
    return TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** What may be owed at most, in nanoseconds. */
  long credit() {
    return cost() * burst;
  }

  /** In which time a whole burst comes back, in seconds, at least 1. */
  long window() {
    return Math.max(1, (burst + perSecond - 1) / perSecond);
  }
}
