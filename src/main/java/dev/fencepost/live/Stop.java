package dev.fencepost.live;

import dev.fencepost.kernel.audit.Origin;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A wish to stop a session.
 *
 * @param afterSilence the stop holds only if the device was silent for longer; empty if that does
 *     not matter
 * @param request names who asks, so that it hears the same again when it repeats itself after a
 *     crash; empty if nobody waits for an answer
 */
record Stop(
    StoppedBy by,
    @Nullable String reason,
    Optional<Duration> afterSilence,
    String request,
    Origin origin) {

  /** The same with its reason in other words. */
  Stop saying(UnaryOperator<String> words) {
    return reason == null ? this : new Stop(by, words.apply(reason), afterSilence, request, origin);
  }

  static Stop byUser(@Nullable String reason, String request, Origin origin) {
    return new Stop(StoppedBy.USER, reason, Optional.empty(), request, origin);
  }

  static Stop superseded(String bySession, Origin origin) {
    return new Stop(
        StoppedBy.SUPERSEDED, "superseded by session " + bySession, Optional.empty(), "", origin);
  }

  static Stop afterSilence(Duration timeout, Origin origin) {
    return new Stop(
        StoppedBy.HEARTBEAT_TIMEOUT,
        "no heartbeat for " + timeout.toMillis() + " ms",
        Optional.of(timeout),
        "",
        origin);
  }
}
