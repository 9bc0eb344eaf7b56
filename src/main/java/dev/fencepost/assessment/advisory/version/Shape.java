package dev.fencepost.assessment.advisory.version;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a version of one scheme looks like. Orders see only text that has the shape. */
record Shape(Pattern pattern, String scheme) {

  /**
   * In characters. Real versions have fewer than 100; a matcher's stack must not grow with more.
   */
  static final int MAX_LENGTH = 1024;

  Matcher match(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new UnparsableVersion("version is longer than " + MAX_LENGTH + " characters");
    }
    var matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new UnparsableVersion("version is not " + scheme);
    }
    return matcher;
  }
}
