package dev.fencepost.asset;

import dev.fencepost.platform.http.Refused;
import java.util.regex.Pattern;

/** One label of an asset, and one condition of a list: {@code key:value}. */
record Label(String key, String value) {

  static final String KEY_RULE =
      "must have 1 to 63 letters, digits, '.', '_', '/' or '-', a letter or digit first";
  static final String VALUE_RULE = "must have at most 255 characters, none of them a control one";

  private static final Pattern KEY = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._/-]{0,62}");
  private static final Pattern VALUE = Pattern.compile("[^\\p{Cc}\\p{Cs}]{0,255}");

  static boolean isKey(String text) {
    return KEY.matcher(text).matches();
  }

  static boolean isValue(String text) {
    return VALUE.matcher(text).matches();
  }

  /** Reads {@code key:value}; a key has no colon, a value may. */
  static Label parse(String text) {
    var colon = text.indexOf(':');
    if (colon < 0) {
      throw Refused.field("label", "must be key:value");
    }
    var label = new Label(text.substring(0, colon), text.substring(colon + 1));
    if (!isKey(label.key())) {
      throw Refused.field("label", "has a key that no label has: it " + KEY_RULE);
    }
    if (!isValue(label.value())) {
      throw Refused.field("label", "has a value that no label has: it " + VALUE_RULE);
    }
    return label;
  }
}
