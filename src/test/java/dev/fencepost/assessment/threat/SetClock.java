package dev.fencepost.assessment.threat;

import dev.fencepost.platform.time.Entropy;
import java.time.Duration;
import java.time.Instant;

/** A clock that moves only when told. */
final class SetClock extends Entropy {

  private Instant now = Instant.parse("2026-11-30T00:00:00Z");

  void advance(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant now() {
    return now;
  }
}
