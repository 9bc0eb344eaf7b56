package dev.fencepost.assessment.advisory.version;

import static java.util.Objects.requireNonNullElse;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * dpkg's order (deb-version(7)): epoch, upstream version, revision. Validated as Debian policy has
 * it: an upstream version begins with a digit, so a word is no version.
 */
final class DebianOrder implements VersionOrder {

  private static final Shape SHAPE =
      new Shape(
          Pattern.compile(
              "(?:(?<epoch>[0-9]+):|(?![^:]*:))(?!.*-$)"
                  + "(?<upstream>[0-9][A-Za-z0-9.+~:-]*?)"
                  + "(?:-(?<revision>[A-Za-z0-9.+~]+))?"),
          "a Debian version");

  @Override
  public Version parse(String text) {
    var parts = SHAPE.match(text);
    return new DebianVersion(
        Digits.significant(requireNonNullElse(parts.group("epoch"), "")),
        parts.group("upstream"),
        requireNonNullElse(parts.group("revision"), ""));
  }

  private record DebianVersion(String epoch, String upstream, String revision) implements Version {

    private static final Comparator<DebianVersion> ORDER =
        Comparator.comparing(DebianVersion::epoch, Digits.BY_VALUE)
            .thenComparing(DebianVersion::upstream, DebianOrder::comparePart)
            .thenComparing(DebianVersion::revision, DebianOrder::comparePart);

    @Override
    public int compareTo(Version other) {
      return ORDER.compare(this, (DebianVersion) other);
    }
  }

  /** Compares stretches of other characters and of digits in turn, as dpkg's verrevcmp does. */
  private static int comparePart(String left, String right) {
    var l = new Cursor(left);
    var r = new Cursor(right);
    while (!l.isAtEnd() || !r.isAtEnd()) {
      while (l.isInWord() || r.isInWord()) {
        var difference = Integer.compare(l.weight(), r.weight());
        if (difference != 0) {
          return difference;
        }
        l.advance();
        r.advance();
      }
      var difference = Digits.BY_VALUE.compare(l.takeNumber(), r.takeNumber());
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  /** A place in one part of a version. Beyond the end, everything weighs nothing. */
  private static final class Cursor {

    private final String text;
    private int at;

    Cursor(String text) {
      this.text = text;
    }

    boolean isAtEnd() {
      return at >= text.length();
    }

    boolean isInWord() {
      return !isAtEnd() && !Digits.isDigit(text.charAt(at));
    }

    /** A tilde comes before the end, the end before letters, letters before all other signs. */
    int weight() {
      if (!isInWord()) {
        return 0;
      }
      var character = text.charAt(at);
      if (character == '~') {
        return -1;
      }
      return Character.isLetter(character) ? character : character + Character.MAX_VALUE;
    }

    void advance() {
      at++;
    }

    String takeNumber() {
      var start = at;
      while (!isAtEnd() && Digits.isDigit(text.charAt(at))) {
        at++;
      }
      return Digits.significant(text.substring(start, at));
    }
  }
}
