package dev.fencepost.assessment;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TicketAnswer} put together from a ticket's fields. Facts are handed on as they were
 * written: whoever looks again and again costs little more than the way to Redis.
 */
final class TicketJson {

  /** The answer's members, in its order, each as the hash keeps it. */
  private enum Member {
    TICKET_ID(Form.TEXT),
    ASSET_ID(Form.TEXT),
    STATUS(Form.TEXT),
    FENCING_TOKEN(Form.JSON),
    ATTEMPTS(Form.JSON),
    COMPLETED_STEPS(Form.NAMES),
    LAST_FAILED_STEP(Form.TEXT),
    LAST_ERROR(Form.TEXT),
    NEXT_ATTEMPT_AT(Form.TIME),
    ONLINE(Form.JSON),
    FINDINGS(Form.LIST),
    UNEVALUATED(Form.LIST),
    VERDICT(Form.JSON),
    NOTIFICATIONS(Form.LIST),
    CREATED_AT(Form.TIME),
    UPDATED_AT(Form.TIME),
    FINISHED_AT(Form.TIME);

    private final Form form;
    private final String field = name().toLowerCase(Locale.ROOT);

    Member(Form form) {
      this.form = form;
    }
  }

  /** How a value stands in the hash. Only a list is never absent from an answer. */
  private enum Form {
    TEXT,
    /** Empty once it is over. */
    TIME,
    JSON,
    LIST,
    /** Joined by commas. */
    NAMES
  }

  private static final List<Member> MEMBERS = List.of(Member.values());

  /** What to ask the hash for. */
  static final List<String> FIELDS = MEMBERS.stream().map(member -> member.field).toList();

  private static final JsonFactory JSON = new JsonFactory();

  private TicketJson() {}

  /** The whole answer, from the count of refusals and the values of {@link #FIELDS}. */
  static String of(Response shown) {
    var text = new StringWriter();
    try (var json = JSON.createGenerator(text)) {
      json.writeStartObject();
      var values = shown.iterator();
      var refused = values.next();
      for (var member : MEMBERS) {
        json.writeFieldName(member.field);
        var value = values.next();
        write(json, member.form, value == null ? null : value.toString());
      }
      json.writeFieldName("stale_writes_refused");
      json.writeRawValue(refused.toString());
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("a string can be written to", e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Form form, @Nullable String value)
      throws IOException {
    switch (form) {
      case TEXT -> json.writeString(value);
      case TIME -> json.writeString("".equals(value) ? null : value);
      case JSON -> json.writeRawValue(value == null ? "null" : whole(value));
      case LIST -> json.writeRawValue(value == null ? "[]" : whole(value));
      case NAMES -> {
        json.writeStartArray();
        for (var name : value == null || value.isEmpty() ? new String[0] : value.split(",")) {
          json.writeString(name);
        }
        json.writeEndArray();
      }
    }
  }

  /** Whatever stands in a ticket, an answer is JSON. */
  private static String whole(String text) throws IOException {
    try (var tokens = JSON.createParser(text)) {
      var isOne = tokens.nextToken() != null;
      tokens.skipChildren();
      if (!isOne || tokens.nextToken() != null) {
        throw new IllegalStateException("a ticket holds what is not one JSON value");
      }
      return text;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a ticket holds JSON that we did not write", e);
    }
  }
}
