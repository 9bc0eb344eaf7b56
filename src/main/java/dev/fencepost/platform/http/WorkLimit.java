package dev.fencepost.platform.http;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * How many requests may be worked on at once: as many as are configured, as long as they are
 * answered about as fast as on a calm day. When they are not, more at once only means that each
 * waits longer; then it shrinks, and grows again when the answers are fast.
 */
final class WorkLimit {

  /** In ns. Below this nobody is refused: a fleet that comes back at once is no overload. */
  private static final double FAST_ENOUGH = 250e6;

  /** How much slower than on a calm day half of the answers may be. */
  private static final double TOLERANCE = 2;

  private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int FEWEST_SAMPLES = 20;
  private static final int MOST_SAMPLES = 1000;
  private static final int LEAST = 16;
  private static final double STEEPEST = 0.6;

  /** How fast the memory of a calm day gives way to days that are worse. */
  private static final double FORGETTING = 0.01;

  private final int most;
  private final long[] samples = new long[MOST_SAMPLES];
  private int count;
  private int busiest;
  private long since;
  private double calm;
  private volatile int limit;

  WorkLimit(int most, long now) {
    this.most = most;
    this.limit = most;
    this.since = now;
  }

  int now() {
    return limit;
  }

  /**
   * Learns from a request that was answered.
   *
   * @param took in ns
   * @param besides how many were worked on when it began
   */
  synchronized void answered(long took, int besides, long now) {
    busiest = Math.max(busiest, besides);
    if (count < MOST_SAMPLES) {
      samples[count++] = took;
    }
    if (now - since >= LOOK_EVERY && count >= FEWEST_SAMPLES) {
      adapt();
      count = 0;
      busiest = 0;
      since = now;
    }
  }

  private void adapt() {
    Arrays.sort(samples, 0, count);
    var median = (double) samples[count / 2];
    calm = calm == 0 || median < calm ? median : calm + FORGETTING * (median - calm);
    var bearable = Math.max(FAST_ENOUGH, TOLERANCE * calm);
    if (median <= bearable) {
      limit = Math.min(most, limit + (int) Math.ceil(Math.sqrt(limit)));
    } else if (busiest >= limit / 2) {
      var wanted = limit * Math.max(STEEPEST, bearable / median);
      limit = (int) Math.max(Math.min(LEAST, most), wanted);
    }
  }
}
