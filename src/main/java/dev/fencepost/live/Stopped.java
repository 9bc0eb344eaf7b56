package dev.fencepost.live;

import org.jspecify.annotations.Nullable;

/**
 * What came of a wish to stop.
 *
 * @param status of the named session; null if nothing is known of it
 */
record Stopped(
    Answer answer, String sessionId, @Nullable LiveStatus status, @Nullable String commandId) {

  /** What {@code live/stop.lua} may answer. */
  enum Answer {
    ACCEPTED,
    ALREADY_STOPPING,
    ALREADY_STOPPED,
    SUPERSEDED,
    NO_SESSION,
    NOT_DUE
  }
}
