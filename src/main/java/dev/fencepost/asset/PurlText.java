package dev.fencepost.asset;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A purl's text taken apart from right to left, as the purl specification says, and decoded from
 * UTF-8 percent escapes. What a type allows and how it spells names is not decided here.
 *
 * @param qualifiers names in lower case, as some tools write {@code Arch} and {@code
 *     repositorY_url}
 */
record PurlText(
    String type,
    @Nullable String namespace,
    String name,
    @Nullable String version,
    TreeMap<String, String> qualifiers,
    @Nullable String subpath) {

  /** In characters. Real ones stay below 500; a longer text is no identifier. */
  static final int MAX_LENGTH = 8192;

  private static final String SCHEME = "pkg";
  private static final int HEX = 16;
  private static final int ESCAPE_LENGTH = 3;

  static PurlText of(String text) {
    requirePlain(text);
    var atSubpath = Cut.at(text, text.lastIndexOf('#'));
    var atQualifiers = Cut.at(atSubpath.left(), atSubpath.left().lastIndexOf('?'));
    var atScheme = Cut.at(atQualifiers.left(), atQualifiers.left().indexOf(':'));
    if (atScheme.right() == null || !atScheme.left().equalsIgnoreCase(SCHEME)) {
      throw new MalformedPurl("it does not start with 'pkg:'");
    }
    var path = withoutOuterSlashes(atScheme.right());
    var atType = Cut.at(path, path.indexOf('/'));
    if (atType.right() == null) {
      throw new MalformedPurl("it needs a type and a name, as in pkg:npm/react");
    }
    var rest = withoutOuterSlashes(atType.right());
    var atVersion = Cut.at(rest, versionAt(rest));
    var slash = atVersion.left().lastIndexOf('/');
    var name = decoded(atVersion.left().substring(slash + 1));
    if (name.isEmpty()) {
      throw new MalformedPurl("it has no name");
    }
    return new PurlText(
        atType.left(),
        slash < 0 ? null : segments(atVersion.left().substring(0, slash), segment -> true),
        name,
        atVersion.right() == null ? null : absentIfEmpty(decoded(atVersion.right())),
        qualifiers(atQualifiers.right()),
        atSubpath.right() == null ? null : segments(atSubpath.right(), PurlText::isStep));
  }

  /**
   * The last {@code @} starts the version, unless it opens a segment that another one follows: that
   * is an npm scope which was not escaped ({@code pkg:npm/@babel/core}).
   */
  private static int versionAt(String path) {
    var at = path.lastIndexOf('@');
    var opensSegment = at == 0 || (at > 0 && path.charAt(at - 1) == '/');
    return opensSegment && path.indexOf('/', at) >= 0 ? -1 : at;
  }

  private static TreeMap<String, String> qualifiers(@Nullable String text) {
    var qualifiers = new TreeMap<String, String>();
    if (text == null) {
      return qualifiers;
    }
    for (var pair : text.split("&", -1)) {
      if (!pair.isEmpty()) {
        addQualifier(qualifiers, Cut.at(pair, pair.indexOf('=')));
      }
    }
    return qualifiers;
  }

  private static void addQualifier(TreeMap<String, String> qualifiers, Cut pair) {
    var key = pair.left().toLowerCase(Locale.ROOT);
    if (pair.right() == null) {
      throw new MalformedPurl("its qualifier '" + key + "' has no value");
    }
    var value = decoded(pair.right());
    if (!value.isEmpty() && qualifiers.put(key, value) != null) {
      throw new MalformedPurl("its qualifier '" + key + "' is given twice");
    }
  }

  private static @Nullable String segments(String path, Predicate<String> counts) {
    if (path.indexOf('/') < 0) {
      var only = withoutOuterSlashes(decoded(path));
      return counts.test(only) ? absentIfEmpty(only) : null;
    }
    return absentIfEmpty(
        Arrays.stream(path.split("/", -1))
            .map(PurlText::decoded)
            .map(PurlText::withoutOuterSlashes)
            .filter(segment -> !segment.isEmpty())
            .filter(counts)
            .collect(Collectors.joining("/")));
  }

  private static boolean isStep(String segment) {
    return !segment.equals(".") && !segment.equals("..");
  }

  private static void requirePlain(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new MalformedPurl("it is longer than " + MAX_LENGTH + " characters");
    }
    for (var i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      var c = text.codePointAt(i);
      if (Character.isWhitespace(c) || isUnprintable(c)) {
        throw new MalformedPurl("it contains " + shown(c) + ", which must be escaped");
      }
    }
  }

  private static String shown(int codePoint) {
    return codePoint == ' ' ? "a blank" : "the character " + String.format("U+%04X", codePoint);
  }

  /** Undoes percent escapes, whose bytes are UTF-8 in every purl. */
  private static String decoded(String text) {
    var bytes = text.indexOf('%') < 0 ? null : unescaped(text.getBytes(StandardCharsets.UTF_8));
    if (bytes == null) {
      return text;
    }
    try {
      var decoded = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      if (decoded.codePoints().anyMatch(PurlText::isUnprintable)) {
        throw new MalformedPurl("'" + text + "' hides a control character");
      }
      return decoded;
    } catch (CharacterCodingException e) {
      throw new MalformedPurl("the percent escapes in '" + text + "' are not UTF-8");
    }
  }

  private static boolean isUnprintable(int codePoint) {
    return Character.isISOControl(codePoint)
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
  }

  private static ByteBuffer unescaped(byte[] text) {
    var bytes = ByteBuffer.allocate(text.length);
    for (var i = 0; i < text.length; i++) {
      if (text[i] == '%') {
        bytes.put(escaped(text, i));
        i += ESCAPE_LENGTH - 1;
      } else {
        bytes.put(text[i]);
      }
    }
    return bytes.flip();
  }

  private static byte escaped(byte[] text, int at) {
    var high = at + 1 < text.length ? Character.digit(text[at + 1], HEX) : -1;
    var low = at + 2 < text.length ? Character.digit(text[at + 2], HEX) : -1;
    if (high < 0 || low < 0) {
      throw new MalformedPurl("a '%' in it is not followed by two hexadecimal digits");
    }
    return (byte) (high * HEX + low);
  }

  private static String withoutOuterSlashes(String text) {
    var start = 0;
    var end = text.length();
    while (start < end && text.charAt(start) == '/') {
      start++;
    }
    while (end > start && text.charAt(end - 1) == '/') {
      end--;
    }
    return text.substring(start, end);
  }

  private static @Nullable String absentIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  /** A text in two, without the character it was cut at; uncut, there is no right part. */
  private record Cut(String left, @Nullable String right) {

    static Cut at(String text, int index) {
      return index < 0
          ? new Cut(text, null)
          : new Cut(text.substring(0, index), text.substring(index + 1));
    }
  }
}
