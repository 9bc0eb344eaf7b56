package dev.fencepost.asset;

import static dev.fencepost.platform.http.ProblemType.BAD_REQUEST;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.fencepost.platform.http.Refused;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a JSON document that refuses, by name, what is not of the expected kind. It holds
 * one token at a time, so a large document costs no more memory than what is kept of it. A {@code
 * null} counts as absent, save inside an array.
 */
final class StrictJson {

  /**
   * Levels of arrays and objects. Readers recurse once a level, so this also bounds their stack;
   * real documents stay below 30.
   */
  static final int MAX_NESTING = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** Looks at one field of an object. */
  @FunctionalInterface
  interface OnField {
    void accept(String name) throws IOException;
  }

  /** Looks at one item of an array. */
  @FunctionalInterface
  interface OnItem {
    void accept() throws IOException;
  }

  /** Makes something of a document that is one object. */
  @FunctionalInterface
  interface Reading<T> {
    T from(StrictJson json) throws IOException;
  }

  private final JsonParser parser;

  private StrictJson(JsonParser parser) {
    this.parser = parser;
  }

  /** Reads a document: UTF-8 (a byte order mark is fine), one object, nothing after it. */
  static <T> T read(byte[] body, Reading<T> reading) {
    try (var parser = FACTORY.createParser(body)) {
      var json = new StrictJson(parser);
      parser.nextToken();
      json.require(JsonToken.START_OBJECT, "an object");
      var result = reading.from(json);
      if (parser.nextToken() != null) {
        throw new Refused(BAD_REQUEST, "something follows the JSON document" + json.position());
      }
      return result;
    } catch (StreamConstraintsException e) {
      throw new Refused(
          BAD_REQUEST,
          "the JSON is nested deeper than "
              + MAX_NESTING
              + " levels, or has an "
              + "overlong name or number"
              + at(e));
    } catch (JsonProcessingException e) {
      throw new Refused(
          BAD_REQUEST,
          (isCutOff(e) ? "the JSON ends too early" : "the body is not valid JSON") + at(e));
    } catch (IOException e) {
      throw new Refused(BAD_REQUEST, "the body is not text in UTF-8");
    }
  }

  /** Goes through the fields of the object that begins here; each one must be read or skipped. */
  void object(OnField each) throws IOException {
    if (isAbsent()) {
      return;
    }
    require(JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      each.accept(name);
    }
  }

  /** Goes through the items of the array that begins here. */
  void array(OnItem each) throws IOException {
    if (isAbsent()) {
      return;
    }
    require(JsonToken.START_ARRAY, "an array");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      each.accept();
    }
  }

  /** Goes through the items of the array that begins here, all of which must be objects. */
  void objects(OnItem each) throws IOException {
    array(
        () -> {
          require(JsonToken.START_OBJECT, "an object");
          each.accept();
        });
  }

  /** The string here, or null where the document says so. */
  @Nullable String text() throws IOException {
    if (isAbsent()) {
      return null;
    }
    require(JsonToken.VALUE_STRING, "a string");
    return parser.getText();
  }

  void skip() throws IOException {
    parser.skipChildren();
  }

  /** Where the cursor stands, e.g. {@code components[3].purl}. */
  String path() {
    var context = parser.getParsingContext();
    if (parser.currentToken() != null && parser.currentToken().isStructStart()) {
      context = context.getParent();
    }
    var path = new StringBuilder();
    for (; context != null && !context.inRoot(); context = context.getParent()) {
      path.insert(
          0,
          context.inArray()
              ? "[" + context.getCurrentIndex() + "]"
              : "." + context.getCurrentName());
    }
    return path.isEmpty() ? "the body" : path.substring(1);
  }

  boolean isAbsent() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  private void require(JsonToken wanted, String inWords) {
    if (parser.currentToken() != wanted) {
      throw Refused.field(path(), "must be " + inWords + ", but is " + kind(parser.currentToken()));
    }
  }

  private static String kind(@Nullable JsonToken token) {
    if (token == null) {
      return "empty";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case VALUE_NULL -> "null";
      default -> token.name();
    };
  }

  /** Jackson has a type for this, and does not always use it; the words are always the same. */
  private static boolean isCutOff(JsonProcessingException failure) {
    return failure.getOriginalMessage().startsWith("Unexpected end-of-input");
  }

  private String position() {
    return at(parser.currentTokenLocation());
  }

  private static String at(JsonProcessingException failure) {
    return failure.getLocation() == null ? "" : at(failure.getLocation());
  }

  private static String at(JsonLocation location) {
    return " (line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr());
  }
}
