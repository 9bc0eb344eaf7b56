package dev.fencepost.platform.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One caller's token bucket, kept as a single number: the time until which what was granted is paid
 * for at the caller's rate (the generic cell rate algorithm). A refusal costs nothing.
 */
final class Budget {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong paidUntil;

  /** A full budget, at a reading of the monotonic clock. */
  Budget(long now) {
    paidUntil = new AtomicLong(now);
  }

  Allowance take(Rate rate, long now) {
    while (true) {
      var before = paidUntil.get();
      var after = Math.max(before, now) + rate.cost();
      if (after - now > rate.credit()) {
        return allowance(false, rate, before - now);
      }
      if (paidUntil.compareAndSet(before, after)) {
        return allowance(true, rate, after - now);
      }
    }
  }

  /** Undoes one grant. */
  void giveBack(Rate rate) {
    paidUntil.addAndGet(-rate.cost());
  }

  /** Whether it is full, and so no different from a new one. */
  boolean isFull(long now) {
    return paidUntil.get() <= now;
  }

  private static Allowance allowance(boolean granted, Rate rate, long owed) {
    return new Allowance(
        granted, (rate.credit() - owed) / rate.cost(), Math.max(0, (owed + SECOND - 1) / SECOND));
  }
}
