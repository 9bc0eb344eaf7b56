package dev.fencepost.kernel.identity.grant;

import java.time.Duration;

/**
 * Whether a login is judged now.
 *
 * @param pause how long it is not heard; zero unless it is {@link Answer#LOCKED}
 */
record Turn(Answer answer, Duration pause) {

  /** What {@code identity/try.lua} may answer. */
  enum Answer {
    TAKEN,
    LOCKED,
    BUSY
  }

  boolean isTaken() {
    return answer == Answer.TAKEN;
  }
}
