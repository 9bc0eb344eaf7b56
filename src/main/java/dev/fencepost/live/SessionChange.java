package dev.fencepost.live;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a session, by the names that Redis has for it: all of it, or what an event
 * changed.
 */
record SessionChange(String deviceId, String sessionId, Map<String, String> fields) {

  /** Nobody's business but the scripts'. */
  private static final Set<String> HIDDEN = Set.of("stop_request");

  SessionChange {
    fields = Map.copyOf(fields);
  }

  /** The session as Redis has it. */
  static SessionChange whole(Map<String, String> hash) {
    var fields = new HashMap<>(hash);
    HIDDEN.forEach(fields::remove);
    return new SessionChange(
        fields.getOrDefault("device_id", ""), fields.getOrDefault("session_id", ""), fields);
  }

  /**
   * What an event says of its session, when Redis has forgotten it; empty if it changed nothing.
   *
   * @param details of an accepted event about a device
   * @param millis when Redis wrote it
   */
  static Optional<SessionChange> of(
      String action, String deviceId, Map<String, String> details, long millis) {
    var sessionId = details.getOrDefault("session_id", "");
    var at = details.getOrDefault("at", "");
    var fields = new HashMap<String, String>();
    switch (action) {
      case "LIVE_STARTED" -> {
        fields.put("device_id", deviceId);
        fields.put("session_id", sessionId);
        fields.put("status", "live");
        fields.put("started_at", at);
        fields.put("started_ms", Long.toString(millis));
        fields.put("last_heartbeat_at", at);
      }
      case "LIVE_STOP_REQUESTED" -> {
        fields.put("status", "stopping");
        fields.put("stop_requested_at", at);
        fields.put("stopped_by", details.getOrDefault("by", ""));
        fields.put("reason", details.getOrDefault("reason", ""));
        fields.put("command_id", details.getOrDefault("command_id", ""));
        if (details.containsKey("last_heartbeat_at")) {
          fields.put("last_heartbeat_at", details.get("last_heartbeat_at"));
        }
      }
      case "LIVE_STOPPED" -> {
        fields.put("status", "stopped");
        fields.put("stopped_at", at);
        fields.put("confirmation", details.getOrDefault("confirmation", ""));
      }
      default -> {
        return Optional.empty();
      }
    }
    return Optional.of(new SessionChange(deviceId, sessionId, fields));
  }

  /** Whether it can stand alone. */
  boolean isWhole() {
    return fields.containsKey("started_ms") && fields.containsKey("started_at");
  }

  long startedMillis() {
    return Long.parseLong(fields.getOrDefault("started_ms", "0"));
  }

  String status() {
    return fields.getOrDefault("status", "");
  }
}
