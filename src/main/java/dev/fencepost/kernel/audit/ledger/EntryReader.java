package dev.fencepost.kernel.audit.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.audit.RecordedEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Reads what scripts and processes put into a stream. It reads everything: what does not have the
 * expected form stands in the details as it is, because history is not the place to be strict.
 */
@ApplicationScoped
class EntryReader {

  private static final Set<String> COLUMNS =
      Set.of("action", "outcome", "resource_type", "resource_id", "fencing_token", "origin");

  /** What is for read models, and no part of history. */
  private static final String ASIDE = "aside:";

  private final ObjectMapper json = new ObjectMapper();
  private final Mask mask;
  private final String serviceName;

  EntryReader(Mask mask, @ConfigProperty(name = "quarkus.application.name") String serviceName) {
    this.mask = mask;
    this.serviceName = serviceName;
  }

  /** The event, not yet at its place in a chain. */
  RecordedEvent read(int lane, StreamEntry entry) {
    var fields = entry.fields();
    var action = fields.getOrDefault("action", "UNKNOWN");
    var origin = origin(fields.getOrDefault("origin", "{}"));
    var agent = text(origin, "user_agent");
    return new RecordedEvent(
        "e%d-%s".formatted(lane, entry.id()),
        0,
        lane,
        entry.id().time(),
        text(origin, "trace_id"),
        serviceName,
        text(origin, "user_id"),
        clean(action),
        clean(fields.getOrDefault("resource_type", ResourceTypes.of(action))),
        clean(fields.getOrDefault("resource_id", "")),
        clean(fields.getOrDefault("outcome", "accepted")),
        token(fields.get("fencing_token")),
        details(fields, origin),
        text(origin, "ip_address"),
        agent == null ? null : mask.text(agent),
        Canonical.GENESIS,
        "",
        Canonical.VERSION);
  }

  /** What an entry carries besides its event, by name. */
  static Map<String, String> aside(StreamEntry entry) {
    var aside = new HashMap<String, String>();
    entry
        .fields()
        .forEach(
            (name, value) -> {
              if (name.startsWith(ASIDE)) {
                aside.put(name.substring(ASIDE.length()), value);
              }
            });
    return aside;
  }

  /** What the ledger itself has to say. */
  RecordedEvent own(
      int lane, String eventId, StreamId id, String action, Map<String, String> details) {
    return new RecordedEvent(
        eventId,
        0,
        lane,
        id.time(),
        null,
        serviceName,
        null,
        action,
        "audit",
        "lane-" + lane,
        "recorded",
        null,
        Canonical.object(details),
        null,
        null,
        Canonical.GENESIS,
        "",
        Canonical.VERSION);
  }

  private String details(Map<String, String> fields, JsonNode origin) {
    var details = new HashMap<>(fields);
    COLUMNS.forEach(details::remove);
    details.keySet().removeIf(name -> name.startsWith(ASIDE));
    if (origin.isMissingNode()) {
      details.put("origin", fields.getOrDefault("origin", ""));
    }
    if (fields.containsKey("fencing_token") && token(fields.get("fencing_token")) == null) {
      details.put("fencing_token", fields.getOrDefault("fencing_token", ""));
    }
    details.replaceAll((name, value) -> clean(value));
    return Canonical.object(mask.fields(details));
  }

  private JsonNode origin(String text) {
    try {
      var read = json.readTree(text);
      return read.isObject() ? read : MissingNode.getInstance();
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  private static @Nullable String text(JsonNode origin, String field) {
    var value = origin.path(field);
    return value.isTextual() ? clean(value.asText()) : null;
  }

  private static @Nullable Long token(@Nullable String text) {
    try {
      return text == null || text.isEmpty() ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** PostgreSQL has no NUL in its texts, and UTF-8 no halves of pairs. */
  private static String clean(String text) {
    return isClean(text)
        ? text
        : text.codePoints()
            .map(point -> isKept(point) ? point : 0xFFFD)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
  }

  /** Whole pairs are clean too, but rare enough to be looked at closely. */
  private static boolean isClean(String text) {
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isKept(int point) {
    return point != 0 && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
  }
}
