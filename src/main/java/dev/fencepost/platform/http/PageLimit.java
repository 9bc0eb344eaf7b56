package dev.fencepost.platform.http;

import org.jspecify.annotations.Nullable;

/** How many items a page of a list may have. */
public final class PageLimit {

  private static final int DEFAULT = 50;
  private static final int MOST = 500;

  private PageLimit() {}

  /** Reads the {@code limit} parameter: {@value #DEFAULT} unless given, at most {@value #MOST}. */
  public static int parse(@Nullable String text) {
    try {
      var limit = text == null ? DEFAULT : Integer.parseInt(text);
      if (limit >= 1 && limit <= MOST) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // answered below, as any other limit that is none
    }
    throw Refused.field("limit", "must be a number from 1 to " + MOST);
  }
}
