package dev.fencepost.platform.http;

import java.time.Duration;

/** What a test of budgets sets; the rest is of no matter there. */
record FewLimits(int requestsPerSecond, int burst, int callers) implements LimitSettings {

  Rate rate() {
    return new Rate(requestsPerSecond, burst);
  }

  @Override
  public int inFlight() {
    return 1;
  }

  @Override
  public int receiving() {
    return 1;
  }

  @Override
  public Duration bodyTimeout() {
    return Duration.ZERO;
  }

  @Override
  public int waiting() {
    return 1;
  }
}
