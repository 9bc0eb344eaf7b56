package dev.fencepost.assessment;

import dev.fencepost.platform.http.Refused;
import org.jspecify.annotations.Nullable;

/** Why a person stepped in; stands in the events for ever. */
final class Reason {

  private static final int LONGEST = 500;

  private Reason() {}

  static String require(@Nullable String text) {
    if (text == null || text.isBlank() || text.length() > LONGEST) {
      throw Refused.field("reason", "must have 1 to " + LONGEST + " characters");
    }
    return text;
  }
}
