package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Texts that receivers limit by their UTF-8 bytes. */
final class Utf8 {

  private static final String CUT_MARK = "…";
  private static final int CONTINUATION_MASK = 0xc0;
  private static final int CONTINUATION = 0x80;

  private Utf8() {}

  /** The text, or as many whole code points of it as fit with a mark that it was cut. */
  static String cut(String text, int maxBytes) {
    var bytes = text.getBytes(UTF_8);
    if (bytes.length <= maxBytes) {
      return text;
    }
    var end = maxBytes - CUT_MARK.getBytes(UTF_8).length;
    while ((bytes[end] & CONTINUATION_MASK) == CONTINUATION) {
      end--;
    }
    return new String(bytes, 0, end, UTF_8) + CUT_MARK;
  }
}
