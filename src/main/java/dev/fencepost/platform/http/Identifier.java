package dev.fencepost.platform.http;

import java.util.regex.Pattern;

/** What clients may call their assets, devices and users. */
public final class Identifier {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}");

  private Identifier() {}

  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Refuses what is no identifier.
   *
   * @param field the name that the refusal gives it
   */
  public static String require(String field, String text) {
    if (!isValid(text)) {
      throw Refused.field(field, "must match " + FORM.pattern());
    }
    return text;
  }
}
