package dev.fencepost.live;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One life of a device's stream.
 *
 * @param sessionId used once: a session that was stopped is not started again
 * @param commandId the one stop command; null while nothing has stopped it
 */
@Schema(name = "LiveSession")
record LiveSession(
    String deviceId,
    String sessionId,
    LiveStatus status,
    Instant startedAt,
    Instant lastHeartbeatAt,
    @Nullable Instant stopRequestedAt,
    @Nullable Instant stoppedAt,
    @Nullable StoppedBy stoppedBy,
    @Nullable String reason,
    @Nullable Confirmation confirmation,
    @Nullable String commandId) {

  /** Reads a session out of the fields that Redis keeps. */
  static LiveSession read(Map<String, String> hash) {
    return new LiveSession(
        required(hash, "device_id"),
        required(hash, "session_id"),
        LiveStatus.of(required(hash, "status")),
        Instant.parse(required(hash, "started_at")),
        Instant.parse(required(hash, "last_heartbeat_at")),
        optional(hash, "stop_requested_at", Instant::parse),
        optional(hash, "stopped_at", Instant::parse),
        optional(hash, "stopped_by", StoppedBy::of),
        optional(hash, "reason", Function.identity()),
        optional(hash, "confirmation", Confirmation::of),
        optional(hash, "command_id", Function.identity()));
  }

  private static <T> @Nullable T optional(
      Map<String, String> hash, String field, Function<String, T> read) {
    var text = hash.get(field);
    return text == null || text.isEmpty() ? null : read.apply(text);
  }

  private static String required(Map<String, String> hash, String field) {
    var value = hash.get(field);
    if (value == null) {
      throw new IllegalStateException("a session without " + field);
    }
    return value;
  }
}
