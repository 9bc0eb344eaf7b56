package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

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
  private static final int ROOM_BESIDES = 512;

  private Canonical() {}

  /** The hash that an event must have, given what it says of itself. */
  static String hash(RecordedEvent event) {
    return sha256(event.previousHash() + json(event));
  }

  /** Everything but the two hashes; the names stand here as they are sorted. */
  static String json(RecordedEvent event) {
    var json = new StringBuilder(event.details().length() + ROOM_BESIDES);
    json.append("{\"action\":");
    append(json, event.action());
    json.append(",\"details\":").append(event.details()).append(",\"event_id\":");
    append(json, event.eventId());
    json.append(",\"fencing_token\":").append(event.fencingToken()).append(",\"ip_address\":");
    append(json, event.ipAddress());
    json.append(",\"lane\":").append(event.lane()).append(",\"outcome\":");
    append(json, event.outcome());
    json.append(",\"resource_id\":");
    append(json, event.resourceId());
    json.append(",\"resource_type\":");
    append(json, event.resourceType());
    json.append(",\"sequence\":").append(event.sequence()).append(",\"service_name\":");
    append(json, event.serviceName());
    json.append(",\"timestamp\":");
    append(json, JsonShape.text(event.timestamp()));
    json.append(",\"trace_id\":");
    append(json, event.traceId());
    json.append(",\"user_agent\":");
    append(json, event.userAgent());
    json.append(",\"user_id\":");
    append(json, event.userId());
    return json.append(",\"version\":").append(event.version()).append('}').toString();
  }

  /** An object of texts. */
  static String object(Map<String, String> texts) {
    var json = new StringBuilder("{");
    new TreeMap<>(texts)
        .forEach(
            (name, value) -> {
              json.append(json.length() == 1 ? "" : ",");
              append(json, name);
              json.append(':');
              append(json, value);
            });
    return json.append('}').toString();
  }

  static String string(@Nullable String text) {
    var json = new StringBuilder();
    append(json, text);
    return json.toString();
  }

  private static void append(StringBuilder json, @Nullable String text) {
    if (text == null) {
      json.append("null");
      return;
    }
    json.append('"');
    for (var i = 0; i < text.length(); i++) {
      append(json, text.charAt(i));
    }
    json.append('"');
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
