package dev.fencepost.kernel.idempotency;

import dev.fencepost.platform.http.Refused;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a client calls one intention of its own, over all its attempts: 1 to 255 ASCII characters.
 *
 * @param value as the client means it: without quotes and escapes
 */
public record IdempotencyKey(String value) {

  /** The header that carries it. */
  public static final String HEADER = "Idempotency-Key";

  private static final int LONGEST = 255;
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{1," + LONGEST + "}");
  private static final Pattern BARE = Pattern.compile("[\\x21-\\x7e&&[^\"]][\\x21-\\x7e]*");

  /** A string of RFC 8941, section 3.3.3, and the parameters that an item may have. */
  private static final String STRING = "\"((?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\"\\\\])*)\"";

  private static final String BARE_ITEM =
      "(?:-?\\d{1,15}(?:\\.\\d{1,3})?|"
          + STRING.replace("((", "(?:(").replace(")*)", ")*)")
          + "|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*|:[A-Za-z0-9+/=]*:|\\?[01])";
  private static final Pattern ITEM =
      Pattern.compile(" *" + STRING + "(?:; *[a-z*][a-z0-9_.*-]*(?:=" + BARE_ITEM + ")?)* *");

  public IdempotencyKey {
    if (!VALUE.matcher(value).matches()) {
      throw Refused.field(HEADER, "must have 1 to " + LONGEST + " visible ASCII characters");
    }
  }

  /**
   * Reads a header's value: a quoted string of RFC 8941, or the bare characters.
   *
   * @return the key; fails with {@link Refused} if it is neither
   */
  static IdempotencyKey parse(String text) {
    var item = ITEM.matcher(text);
    if (item.matches()) {
      return new IdempotencyKey(item.group(1).replaceAll("\\\\(.)", "$1"));
    }
    if (BARE.matcher(text).matches()) {
      return new IdempotencyKey(text);
    }
    throw Refused.field(
        HEADER,
        "must be a quoted string as in RFC 8941, or 1 to " + LONGEST + " visible ASCII characters");
  }

  /** Reads the header, if it is there; twice is as good as malformed. */
  static Optional<IdempotencyKey> of(List<String> headers) {
    if (headers.size() > 1) {
      throw Refused.field(HEADER, "must not be given twice");
    }
    return headers.stream().map(IdempotencyKey::parse).findFirst();
  }
}
