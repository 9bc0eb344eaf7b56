package dev.fencepost.command;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads commands out of the fields that Redis keeps. */
final class CommandHash {

  private CommandHash() {}

  static Command read(Map<String, String> hash) {
    return new Command(
        required(hash, "command_id"),
        required(hash, "device_id"),
        required(hash, "session_id"),
        required(hash, "type"),
        CommandStatus.of(required(hash, "status")),
        Integer.parseInt(required(hash, "sends")),
        text(hash, "reason"),
        Instant.parse(required(hash, "created_at")),
        instant(hash, "sent_at"),
        instant(hash, "last_sent_at"),
        instant(hash, "acked_at"),
        instant(hash, "applied_at"),
        instant(hash, "failed_at"),
        instant(hash, "expired_at"),
        Instant.ofEpochMilli(Long.parseLong(required(hash, "expires_ms"))),
        text(hash, "detail"),
        text(hash, "late_report"),
        instant(hash, "late_report_at"));
  }

  private static @Nullable Instant instant(Map<String, String> hash, String field) {
    var text = text(hash, field);
    return text == null ? null : Instant.parse(text);
  }

  private static @Nullable String text(Map<String, String> hash, String field) {
    var text = hash.get(field);
    return text == null || text.isEmpty() ? null : text;
  }

  private static String required(Map<String, String> hash, String field) {
    var value = hash.get(field);
    if (value == null) {
      throw new IllegalStateException("a command without " + field);
    }
    return value;
  }
}
