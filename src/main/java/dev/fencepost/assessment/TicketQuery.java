package dev.fencepost.assessment;

import dev.fencepost.asset.AssetId;
import dev.fencepost.platform.http.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Which tickets are asked for.
 *
 * @param before only ids whose ULID sorts before this one; the highest possible on the first page
 */
record TicketQuery(
    @Nullable String assetId, @Nullable TicketStatus status, int limit, String before) {

  /** Sorts after every ULID. */
  private static final String NEWEST = "~";

  private static final int ULID_LENGTH = 26;
  private static final int TIME_LENGTH = 10;
  private static final String CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

  static TicketQuery of(
      @Nullable String assetId, @Nullable String status, int limit, @Nullable String pageToken) {
    return new TicketQuery(
        assetId == null ? null : AssetId.require(assetId),
        status == null ? null : status(status),
        limit,
        pageToken == null ? NEWEST : ulid(pageToken));
  }

  /** The token of the page after a ticket. */
  static String tokenAfter(String ticketId) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(ulidOf(ticketId).getBytes(StandardCharsets.UTF_8));
  }

  /** The part of a ticket id that orders tickets by time, whatever their lane. */
  static String ulidOf(String ticketId) {
    return ticketId.substring(ticketId.indexOf('-') + 1);
  }

  /** The time in a ULID, in ms: no ticket that sorts before it was opened later. */
  static long millisOf(String ulid) {
    if (ulid.equals(NEWEST)) {
      return Long.MAX_VALUE;
    }
    return ulid.chars()
        .limit(TIME_LENGTH)
        .mapToLong(CROCKFORD::indexOf)
        .reduce(0, (millis, digit) -> millis * CROCKFORD.length() + digit);
  }

  boolean wants(Ticket ticket) {
    return (assetId == null || assetId.equals(ticket.assetId()))
        && (status == null || status == ticket.status());
  }

  private static TicketStatus status(String text) {
    return Arrays.stream(TicketStatus.values())
        .filter(status -> status.name().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                Refused.field(
                    "status", "must be one of " + Arrays.toString(TicketStatus.values())));
  }

  private static String ulid(String pageToken) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(pageToken), StandardCharsets.UTF_8);
      if (text.length() == ULID_LENGTH) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // answered below, as any other token that was not made here
    }
    throw Refused.field("page_token", "is not a token that this list gave out");
  }
}
