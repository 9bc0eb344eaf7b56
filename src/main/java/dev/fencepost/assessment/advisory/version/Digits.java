package dev.fencepost.assessment.advisory.version;

import java.util.Comparator;

/** Numbers kept as text: versions hold timestamps and hashes that fit no machine number. */
final class Digits {

  /** Orders numbers without leading zeros by their value. */
  static final Comparator<String> BY_VALUE =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private Digits() {}

  /** Drops leading zeros; zero itself becomes the empty text, as an absent number is. */
  static String significant(String digits) {
    var start = 0;
    while (start < digits.length() && digits.charAt(start) == '0') {
      start++;
    }
    return digits.substring(start);
  }

  static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(Digits::isDigit);
  }

  static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }
}
