package dev.fencepost.kernel.identity.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import java.io.IOException;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A token as it came, taken apart but not believed. Whatever could make a verifier choose another
 * algorithm, or fetch a key, is refused here: only {@code alg}, {@code kid}, {@code typ} and
 * thumbprints, which nothing reads, may stand in its header.
 */
public final class TokenText {

  private static final String ALGORITHM = "RS256";
  private static final Set<String> HEADERS = Set.of("alg", "kid", "typ", "x5t", "x5t#S256");
  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)");

  /** Two readers of a doubled name might believe two different things. */
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String text;
  private final String kid;
  private final ObjectNode claims;

  private TokenText(String text, String kid, ObjectNode claims) {
    this.text = text;
    this.kid = kid;
    this.claims = claims;
  }

  /**
   * Takes a token apart.
   *
   * @throws TokenRefused if its shape alone condemns it
   */
  public static TokenText parse(String text, int maxLength) {
    if (text.length() > maxLength) {
      throw new TokenRefused(Reason.OVERSIZED);
    }
    var parts = FORM.matcher(text);
    if (!parts.matches()) {
      // An unsigned token has an empty third part; it is named for what it tries.
      throw new TokenRefused(text.endsWith(".") ? Reason.WRONG_ALGORITHM : Reason.MALFORMED);
    }
    var header = object(parts.group(1));
    if (!ALGORITHM.equals(header.path("alg").textValue())) {
      throw new TokenRefused(Reason.WRONG_ALGORITHM);
    }
    header
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!HEADERS.contains(name)) {
                throw new TokenRefused(Reason.HEADER_NOT_ALLOWED);
              }
            });
    var kid = header.path("kid").textValue();
    if (kid == null) {
      throw new TokenRefused(Reason.UNKNOWN_KEY);
    }
    return new TokenText(text, kid, object(parts.group(2)));
  }

  public String text() {
    return text;
  }

  /** The name of a key, from a stranger: good for a look into a map and nothing else. */
  public String kid() {
    return kid;
  }

  /** What it claims, from a stranger. */
  public JsonNode claims() {
    return claims;
  }

  private static ObjectNode object(String part) {
    try {
      var bytes = Base64.getUrlDecoder().decode(part.getBytes(ISO_8859_1));
      return (ObjectNode) STRICT.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new TokenRefused(
          String.valueOf(e.getOriginalMessage()).contains("Duplicate")
              ? Reason.DUPLICATE_CLAIM
              : Reason.MALFORMED);
    } catch (IOException | IllegalArgumentException | ClassCastException e) {
      throw new TokenRefused(Reason.MALFORMED);
    }
  }
}
