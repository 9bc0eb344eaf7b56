package dev.fencepost.live;

import dev.fencepost.kernel.audit.Origin;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A wish to stop a session.
 *
 * @param afterSilence the stop holds only if the device was silent for longer; empty if that does
 *     not matter
 */
record Stop(StoppedBy by, @Nullable String reason, Optional<Duration> afterSilence, Origin origin) {

  static Stop byUser(@Nullable String reason, Origin origin) {
    return new Stop(StoppedBy.USER, reason, Optional.empty(), origin);
  }

  static Stop superseded(String bySession, Origin origin) {
    return new Stop(
        StoppedBy.SUPERSEDED, "superseded by session " + bySession, Optional.empty(), origin);
  }

  static Stop afterSilence(Duration timeout, Origin origin) {
    return new Stop(
        StoppedBy.HEARTBEAT_TIMEOUT,
        "no heartbeat for " + timeout.toMillis() + " ms",
        Optional.of(timeout),
        origin);
  }
}
