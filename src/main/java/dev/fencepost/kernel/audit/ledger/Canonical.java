package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.platform.http.JsonShape;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The form in which events are hashed, as RFC 8785 has it: names sorted, no blanks, every name
 * there, absent values null. Version 1; another form gets another number.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8785">JSON Canonicalization Scheme</a>
 */
final class Canonical {

  static final int VERSION = 1;

  /** The hash before the first event. */
  static final String GENESIS = "0".repeat(64);

  private static final int FIRST_PRINTABLE = 0x20;

  private Canonical() {}

  /** The hash that an event must have, given what it says of itself. */
  static String hash(RecordedEvent event) {
    return sha256(event.previousHash() + json(event));
  }

  /** Everything but the two hashes. */
  static String json(RecordedEvent event) {
    var members = new TreeMap<String, String>();
    members.put("action", string(event.action()));
    members.put("details", event.details());
    members.put("event_id", string(event.eventId()));
    members.put("fencing_token", String.valueOf(event.fencingToken()));
    members.put("ip_address", string(event.ipAddress()));
    members.put("lane", Integer.toString(event.lane()));
    members.put("outcome", string(event.outcome()));
    members.put("resource_id", string(event.resourceId()));
    members.put("resource_type", string(event.resourceType()));
    members.put("sequence", Long.toString(event.sequence()));
    members.put("service_name", string(event.serviceName()));
    members.put("timestamp", string(JsonShape.text(event.timestamp())));
    members.put("trace_id", string(event.traceId()));
    members.put("user_agent", string(event.userAgent()));
    members.put("user_id", string(event.userId()));
    members.put("version", Integer.toString(event.version()));
    return members.entrySet().stream()
        .map(member -> string(member.getKey()) + ":" + member.getValue())
        .collect(joining(",", "{", "}"));
  }

  /** An object of texts. */
  static String object(Map<String, String> texts) {
    return new TreeMap<>(texts)
        .entrySet().stream()
            .map(text -> string(text.getKey()) + ":" + string(text.getValue()))
            .collect(joining(",", "{", "}"));
  }

  static String string(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    var json = new StringBuilder(text.length() + 2).append('"');
    text.chars().forEach(c -> append(json, (char) c));
    return json.append('"').toString();
  }

  private static void append(StringBuilder json, char c) {
    switch (c) {
      case '"' -> json.append("\\\"");
      case '\\' -> json.append("\\\\");
      case '\b' -> json.append("\\b");
      case '\f' -> json.append("\\f");
      case '\n' -> json.append("\\n");
      case '\r' -> json.append("\\r");
      case '\t' -> json.append("\\t");
      default -> {
        if (c < FIRST_PRINTABLE) {
          json.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
        } else {
          json.append(c);
        }
      }
    }
  }

  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM ships SHA-256", e);
    }
  }
}
