package dev.fencepost.asset;

import dev.fencepost.platform.http.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list in the order of ids.
 *
 * @param after the last id of the page before; null for the first page
 */
record PageRequest(int limit, @Nullable String after) {

  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 500;

  static PageRequest of(@Nullable String limit, @Nullable String token) {
    return new PageRequest(limit(limit), token == null ? null : id(token));
  }

  /** The token of the page that begins after this id: base64url, so that nobody reads it. */
  static String tokenAfter(String id) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(id.getBytes(StandardCharsets.UTF_8));
  }

  private static int limit(@Nullable String text) {
    try {
      var limit = text == null ? DEFAULT_LIMIT : Integer.parseInt(text);
      if (limit >= 1 && limit <= MAX_LIMIT) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // answered below, as any other limit that is none
    }
    throw Refused.field("limit", "must be a number from 1 to " + MAX_LIMIT);
  }

  private static String id(String token) {
    try {
      var id = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      if (AssetId.isValid(id)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      // answered below, as any other token that was not made here
    }
    throw Refused.field("page_token", "is not a token that this list gave out");
  }
}
