package dev.fencepost.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Comparator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of a list ends that is ordered by time, newest first, and by id within a
 * millisecond.
 *
 * @param member of the last item given out; empty before the first
 */
public record PageCursor(long millis, String member) {

  /** Newest first: the order of the lists. */
  public static final Comparator<PageCursor> NEWEST_FIRST =
      Comparator.comparingLong(PageCursor::millis).thenComparing(PageCursor::member).reversed();

  private static final Pattern FORM = Pattern.compile("(\\d{1,15})/(.+)");

  /** Before every item there is. */
  private static final PageCursor START = new PageCursor(999_999_999_999_999L, "~");

  /** Reads a {@code page_token}; none is the beginning. */
  public static PageCursor parse(@Nullable String pageToken) {
    if (pageToken == null) {
      return START;
    }
    try {
      var match = FORM.matcher(new String(Base64.getUrlDecoder().decode(pageToken), UTF_8));
      if (match.matches()) {
        return new PageCursor(Long.parseLong(match.group(1)), match.group(2));
      }
    } catch (IllegalArgumentException e) {
      // answered below, as any other token that was not made here
    }
    throw Refused.field("page_token", "is not a token that this list gave out");
  }

  public String token() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((millis + "/" + member).getBytes(UTF_8));
  }

  /** Whether an item comes later in the list than where this page ended. */
  public boolean isBefore(PageCursor item) {
    return NEWEST_FIRST.compare(this, item) < 0;
  }
}
