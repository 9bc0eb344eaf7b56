package dev.fencepost.assessment.notification;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How often a receiver may be told, as token buckets that all have to agree. A bucket of {@code b}
 * tokens refilled every {@code i} lets at most {@code b + window / i} through in any window, so the
 * numbers below stay under the receiver's limit in every minute, not only on average. It holds for
 * one process; what several replicas send together is caught by the receiver's own answer.
 */
final class RateBudget {

  private static final long NEVER = Long.MIN_VALUE;

  /**
   * What a reservation came to.
   *
   * @param granted whether a token was taken, to be used after the delay
   */
  record Slot(boolean granted, Duration delay) {}

  private static final class Bucket {
    private final long interval;
    private final long tolerance;
    private long nextFull = NEVER;

    Bucket(int tokens, Duration interval) {
      this.interval = interval.toNanos();
      this.tolerance = (tokens - 1) * this.interval;
    }

    long delay(long now) {
      return nextFull == NEVER ? 0 : Math.max(0, nextFull - tolerance - now);
    }

    void take(long now) {
      nextFull = (nextFull == NEVER ? now : Math.max(nextFull, now)) + interval;
    }
  }

  private final List<Bucket> buckets;
  private long pausedUntil = NEVER;

  private RateBudget(Bucket... buckets) {
    this.buckets = List.of(buckets);
  }

  /** Receivers of our own choice that say 429 when it is too much. */
  static RateBudget unlimited() {
    return new RateBudget();
  }

  /** WeCom and DingTalk: 20 a minute. 5 at once and one every 4 s make 5 + 15 in any minute. */
  static RateBudget twentyAMinute() {
    return new RateBudget(new Bucket(5, Duration.ofSeconds(4)));
  }

  /** Feishu: 100 a minute (40 + 60) and 5 a second (2 + 3). */
  static RateBudget hundredAMinute() {
    return new RateBudget(
        new Bucket(40, Duration.ofSeconds(1)), new Bucket(2, Duration.ofMillis(334)));
  }

  /** Slack: about one a second, short bursts allowed. */
  static RateBudget oneASecond() {
    return new RateBudget(new Bucket(3, Duration.ofSeconds(1)));
  }

  /**
   * Takes a token if it can be used soon enough.
   *
   * @param now a monotonic reading in nanoseconds
   * @return granted with the wait until it may be used, or refused with the wait there would be
   */
  synchronized Slot reserve(long now, Duration longestWait) {
    var paused = pausedUntil == NEVER ? 0 : Math.max(0, pausedUntil - now);
    var delay =
        Stream.concat(Stream.of(paused), buckets.stream().map(bucket -> bucket.delay(now)))
            .reduce(0L, Math::max);
    if (delay > longestWait.toNanos()) {
      return new Slot(false, Duration.ofNanos(delay));
    }
    buckets.forEach(bucket -> bucket.take(now + delay));
    return new Slot(true, Duration.ofNanos(delay));
  }

  /** The receiver itself asked for silence: nobody else shall make it angrier meanwhile. */
  synchronized void pause(long now, Duration silence) {
    var until = now + silence.toNanos();
    pausedUntil = pausedUntil == NEVER ? until : Math.max(pausedUntil, until);
  }
}
