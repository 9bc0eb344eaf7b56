package dev.fencepost.command;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a command, by the names that Redis has for it: all of it, or what an event
 * changed.
 */
record CommandChange(String commandId, Map<String, String> fields) {

  private static final String PREFIX = "COMMAND_";

  /** Opaque to all but the service that sends it. */
  private static final String HIDDEN = "trace";

  CommandChange {
    fields = Map.copyOf(fields);
  }

  /** The command as Redis has it. */
  static CommandChange whole(Map<String, String> hash) {
    var fields = new HashMap<>(hash);
    fields.remove(HIDDEN);
    return new CommandChange(fields.getOrDefault("command_id", ""), fields);
  }

  /** A command that a stop made, as it was then. */
  static CommandChange made(
      String deviceId, Map<String, String> details, long millis, Duration lifetime) {
    var commandId = details.getOrDefault("command_id", "");
    var fields = new HashMap<String, String>();
    fields.put("command_id", commandId);
    fields.put("device_id", deviceId);
    fields.put("session_id", details.getOrDefault("session_id", ""));
    fields.put("type", "stop_stream");
    fields.put("status", CommandStatus.PENDING.word());
    fields.put("sends", "0");
    fields.put("reason", details.getOrDefault("reason", ""));
    fields.put("created_at", details.getOrDefault("at", ""));
    fields.put("created_ms", Long.toString(millis));
    fields.put("expires_ms", Long.toString(millis + lifetime.toMillis()));
    return new CommandChange(commandId, fields);
  }

  /** What an event about a command changed; empty if nothing. */
  static Optional<CommandChange> of(
      String action, String outcome, String commandId, Map<String, String> details) {
    var word = action.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
    var at = details.getOrDefault("at", "");
    if (outcome.equals("late")) {
      return Optional.of(
          new CommandChange(commandId, Map.of("late_report", word, "late_report_at", at)));
    }
    if (!outcome.equals("accepted")) {
      return Optional.empty();
    }
    return Optional.of(
        new CommandChange(
            commandId, word.equals("sent") ? sent(details, at) : reported(word, details, at)));
  }

  private static Map<String, String> sent(Map<String, String> details, String at) {
    var fields = new HashMap<String, String>();
    fields.put("sends", details.getOrDefault("sends", "1"));
    fields.put("last_sent_at", at);
    if (details.getOrDefault("from", "").equals(CommandStatus.PENDING.word())) {
      fields.put("status", CommandStatus.SENT.word());
      fields.put("sent_at", at);
    }
    return fields;
  }

  private static Map<String, String> reported(String word, Map<String, String> details, String at) {
    var fields = new HashMap<String, String>();
    fields.put("status", word);
    fields.put(word + "_at", at);
    var detail = details.getOrDefault("detail", "");
    if (!detail.isEmpty()) {
      fields.put("detail", detail);
    }
    var isDevices =
        word.equals(CommandStatus.APPLIED.word()) || word.equals(CommandStatus.FAILED.word());
    if (isDevices && !details.getOrDefault("from", "").equals(CommandStatus.ACKED.word())) {
      fields.put("acked_at", at);
    }
    return fields;
  }

  /** What both say, the later one having the last word. */
  CommandChange then(CommandChange later) {
    var both = new HashMap<>(fields);
    both.putAll(later.fields);
    return new CommandChange(commandId, both);
  }

  /** Whether it can stand alone. */
  boolean isWhole() {
    return fields.containsKey("created_ms") && fields.containsKey("device_id");
  }

  long createdMillis() {
    return Long.parseLong(fields.getOrDefault("created_ms", "0"));
  }
}
