package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.platform.http.Refused;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which events are asked for, and where the page begins. Conditions become one statement. */
final class EventQuery {

  private static final Pattern TOKEN = Pattern.compile("(\\d{1,15})\\.(\\d{1,6})\\.(\\d{1,18})");

  private final StringBuilder where = new StringBuilder("TRUE");
  private final Tuple values = Tuple.tuple();
  private final int limit;

  /**
   * A query.
   *
   * @param equal columns and what they must be; null for any
   */
  EventQuery(
      Map<String, @Nullable String> equal,
      @Nullable String from,
      @Nullable String to,
      int limit,
      @Nullable String pageToken) {
    this.limit = limit;
    new LinkedHashMap<>(equal).forEach(this::equal);
    time("from", "at >= ", from);
    time("to", "at < ", to);
    if (pageToken != null) {
      before(pageToken);
    }
  }

  private void equal(String column, @Nullable String value) {
    if (value != null) {
      if (value.indexOf('\0') >= 0) {
        throw Refused.field(column, "must not hold NUL");
      }
      values.addString(value);
      where.append(" AND ").append(column).append(" = $").append(values.size());
    }
  }

  private void time(String field, String condition, @Nullable String text) {
    if (text != null) {
      values.addOffsetDateTime(instant(field, text).atOffset(ZoneOffset.UTC));
      where.append(" AND ").append(condition).append('$').append(values.size());
    }
  }

  private static Instant instant(String field, String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw Refused.field(field, "must be an RFC 3339 time, e.g. 2026-11-30T08:15:00.000Z");
    }
  }

  private void before(String pageToken) {
    var place = TOKEN.matcher(decoded(pageToken));
    if (!place.matches()) {
      throw Refused.field("page_token", "is not a token that this list gave out");
    }
    values
        .addOffsetDateTime(
            Instant.ofEpochMilli(Long.parseLong(place.group(1))).atOffset(ZoneOffset.UTC))
        .addInteger(Integer.parseInt(place.group(2)))
        .addLong(Long.parseLong(place.group(3)));
    var last = values.size();
    where.append(" AND (at, lane, sequence) < ($%d, $%d, $%d)".formatted(last - 2, last - 1, last));
  }

  private static String decoded(String pageToken) {
    try {
      return new String(Base64.getUrlDecoder().decode(pageToken), UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  int limit() {
    return limit;
  }

  /** One more than a page, so that it shows whether there is a next one. */
  String statement() {
    return "SELECT "
        + EventColumns.ALL
        + " FROM audit_event WHERE "
        + where
        + " ORDER BY at DESC, lane DESC, sequence DESC LIMIT "
        + (limit + 1);
  }

  Tuple values() {
    return values;
  }

  static String tokenAfter(RecordedEvent event) {
    var place =
        "%d.%d.%d".formatted(event.timestamp().toEpochMilli(), event.lane(), event.sequence());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(UTF_8));
  }
}
