package dev.fencepost.assessment.advisory;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.fencepost.assessment.advisory.OsvRecord.Affected;
import dev.fencepost.assessment.advisory.OsvRecord.Event;
import dev.fencepost.assessment.advisory.OsvRecord.Range;
import dev.fencepost.assessment.advisory.OsvRecord.Rating;
import dev.fencepost.assessment.advisory.version.VersionOrders;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads OSV records from JSON. Only {@code id} and {@code modified} must be there; everything else
 * may be absent or null. Entries of ecosystems without a version order, and GIT ranges, say nothing
 * that could be compared, and are left out.
 *
 * @param shared maps a text to one equal to it, so that 200,000 records share their many repeated
 *     versions and names
 */
record OsvJson(UnaryOperator<String> shared) {

  /** The longest id that the OSV API takes. */
  private static final int MAX_ID_LENGTH = 100;

  private static final ObjectReader JSON =
      new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  OsvJson() {
    this(UnaryOperator.identity());
  }

  /**
   * Reads one record.
   *
   * @throws BrokenRecord if the bytes are not JSON or not an OSV record
   */
  OsvRecord read(byte[] json) throws BrokenRecord {
    var root = tree(json);
    return new OsvRecord(
        id(root),
        time(required(root, "modified"), "modified"),
        root.hasNonNull("withdrawn") ? time(root.get("withdrawn"), "withdrawn") : null,
        texts(root, "aliases"),
        upstream(root),
        ratings(root),
        word(root.path("database_specific").path("severity")),
        affected(root));
  }

  private static JsonNode tree(byte[] json) throws BrokenRecord {
    try {
      var root = JSON.readTree(json);
      if (!root.isObject()) {
        throw new BrokenRecord("not a JSON object");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw new BrokenRecord("not JSON" + place(e.getLocation()));
    } catch (IOException e) {
      throw new BrokenRecord("not readable as JSON: " + e.getMessage());
    }
  }

  /** Where a text stops being JSON; the parser's own words name classes. */
  static String place(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static String id(JsonNode root) throws BrokenRecord {
    var id = text(required(root, "id"), "id");
    if (id.isBlank() || id.length() > MAX_ID_LENGTH) {
      throw new BrokenRecord("id must have 1 to " + MAX_ID_LENGTH + " characters");
    }
    return id;
  }

  /**
   * Some records name the CVE they are about only as {@code related}: older Debian ones, and those
   * of packages that bundle a flawed library. Without it nobody could ask whether it is exploited.
   */
  private List<String> upstream(JsonNode root) throws BrokenRecord {
    var upstream = texts(root, "upstream");
    var named = new ArrayList<>(upstream);
    named.add(text(required(root, "id"), "id"));
    named.addAll(texts(root, "aliases"));
    return named.stream().anyMatch(OsvJson::isCve)
        ? upstream
        : Stream.concat(upstream.stream(), texts(root, "related").stream().filter(OsvJson::isCve))
            .toList();
  }

  private static boolean isCve(String id) {
    return id.startsWith("CVE-");
  }

  private List<Affected> affected(JsonNode root) throws BrokenRecord {
    var entries = new ArrayList<Affected>();
    for (var entry : array(root, "affected")) {
      var named = entry.path("package");
      if (named.isObject()) {
        var ecosystem = text(required(named, "ecosystem"), "affected[].package.ecosystem");
        if (VersionOrders.of(ecosystem).isPresent()) {
          entries.add(affected(entry, ecosystem, text(required(named, "name"), "package.name")));
        }
      }
    }
    return entries;
  }

  private Affected affected(JsonNode entry, String ecosystem, String name) throws BrokenRecord {
    return new Affected(
        new PackageKey(shared.apply(ecosystem), shared.apply(name)),
        ratings(entry),
        ranges(entry),
        texts(entry, "versions"));
  }

  private List<Range> ranges(JsonNode entry) throws BrokenRecord {
    var ranges = new ArrayList<Range>();
    for (var range : array(entry, "ranges")) {
      var type = text(required(range, "type"), "ranges[].type");
      switch (type) {
        case "SEMVER", "ECOSYSTEM" -> ranges.add(new Range(events(range)));
        case "GIT" -> {} // commits are no versions
        default -> throw new BrokenRecord("ranges[].type " + type + " is not known");
      }
    }
    return ranges;
  }

  private List<Event> events(JsonNode range) throws BrokenRecord {
    var events = new ArrayList<Event>();
    for (var event : array(range, "events")) {
      if (event.size() != 1) {
        throw new BrokenRecord("an event must have exactly one field, but has " + event.size());
      }
      var field = event.fieldNames().next();
      events.add(new Event(kind(field), shared.apply(text(event.get(field), field))));
    }
    return events;
  }

  private static Event.Kind kind(String field) throws BrokenRecord {
    return switch (field) {
      case "introduced" -> Event.Kind.INTRODUCED;
      case "fixed" -> Event.Kind.FIXED;
      case "last_affected" -> Event.Kind.LAST_AFFECTED;
      case "limit" -> Event.Kind.LIMIT;
      default -> throw new BrokenRecord("event " + field + " is not known");
    };
  }

  private List<Rating> ratings(JsonNode holder) throws BrokenRecord {
    var ratings = new ArrayList<Rating>();
    for (var rating : array(holder, "severity")) {
      ratings.add(
          new Rating(
              shared.apply(text(required(rating, "type"), "severity[].type")),
              shared.apply(text(required(rating, "score"), "severity[].score"))));
    }
    return ratings;
  }

  private List<String> texts(JsonNode holder, String field) throws BrokenRecord {
    var texts = new ArrayList<String>();
    for (var item : array(holder, field)) {
      texts.add(shared.apply(text(item, field + "[]")));
    }
    return texts;
  }

  private @Nullable String word(JsonNode node) {
    return node.isTextual() ? shared.apply(node.textValue()) : null;
  }

  private static Iterable<JsonNode> array(JsonNode holder, String field) throws BrokenRecord {
    var node = holder.path(field);
    if (node.isMissingNode() || node.isNull()) {
      return List.of();
    }
    if (!node.isArray()) {
      throw new BrokenRecord(field + " must be an array");
    }
    return node;
  }

  private static JsonNode required(JsonNode holder, String field) throws BrokenRecord {
    var node = holder.path(field);
    if (node.isMissingNode() || node.isNull()) {
      throw new BrokenRecord(field + " is missing");
    }
    return node;
  }

  private static String text(JsonNode node, String field) throws BrokenRecord {
    if (!node.isTextual()) {
      throw new BrokenRecord(field + " must be a string");
    }
    return node.textValue();
  }

  private static Instant time(JsonNode node, String field) throws BrokenRecord {
    var text = text(node, field);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new BrokenRecord(field + " must be an RFC 3339 time, but was " + text);
    }
  }
}
