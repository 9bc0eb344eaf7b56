package dev.fencepost.assessment.advisory.version;

import static java.util.Objects.requireNonNullElse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Python's PEP 440, with every spelling it normalises. Texts that only the older, unwritten order
 * understood are refused.
 */
final class Pep440Order implements VersionOrder {

  private static final Shape SHAPE =
      new Shape(
          Pattern.compile(
              "v?(?:(?<epoch>[0-9]+)!)?"
                  + "(?<release>[0-9]+(?:\\.[0-9]+)*)"
                  + "(?:[-_.]?(?<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<preN>[0-9]*))?"
                  + "(?:-(?<implicitPostN>[0-9]+)"
                  + "|[-_.]?(?<post>post|rev|r)[-_.]?(?<postN>[0-9]*))?"
                  + "(?:[-_.]?(?<dev>dev)[-_.]?(?<devN>[0-9]*))?"
                  + "(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?"),
          "PEP 440");

  @Override
  public Version parse(String text) {
    var parts = SHAPE.match(text.strip().toLowerCase(Locale.ROOT));
    return new Pep440(
        number(parts, "epoch"),
        release(parts.group("release")),
        phase(parts),
        number(parts, "preN"),
        parts.group("post") != null || parts.group("implicitPostN") != null,
        number(parts, parts.group("implicitPostN") == null ? "postN" : "implicitPostN"),
        parts.group("dev") == null,
        number(parts, "devN"),
        local(parts.group("local")));
  }

  private static String number(Matcher parts, String group) {
    return Digits.significant(requireNonNullElse(parts.group(group), ""));
  }

  /** Trailing zeros say nothing: 1.0 is 1. */
  private static List<String> release(String text) {
    var numbers = new ArrayList<String>();
    for (var number : text.split("\\.", -1)) {
      numbers.add(Digits.significant(number));
    }
    while (!numbers.isEmpty() && numbers.get(numbers.size() - 1).isEmpty()) {
      numbers.remove(numbers.size() - 1);
    }
    return List.copyOf(numbers);
  }

  private static Phase phase(Matcher parts) {
    var pre = parts.group("pre");
    if (pre != null) {
      return Phase.of(pre);
    }
    var isPost = parts.group("post") != null || parts.group("implicitPostN") != null;
    return parts.group("dev") != null && !isPost ? Phase.DEVELOPMENT : Phase.FINAL;
  }

  private static List<LocalSegment> local(@Nullable String text) {
    return text == null
        ? List.of()
        : List.of(text.split("[-_.]", -1)).stream().map(LocalSegment::of).toList();
  }

  /** How far a release has come, earliest first. */
  private enum Phase {
    /** A development release of the release itself, before its first alpha. */
    DEVELOPMENT,
    ALPHA,
    BETA,
    CANDIDATE,
    FINAL;

    static Phase of(String letters) {
      return switch (letters.charAt(0)) {
        case 'a' -> ALPHA;
        case 'b' -> BETA;
        default -> CANDIDATE; // rc, c, pre, preview
      };
    }
  }

  /** A part of a local version: words come before numbers. */
  private record LocalSegment(boolean isNumber, String text) {

    static final Comparator<LocalSegment> ORDER =
        Comparator.comparing(LocalSegment::isNumber).thenComparing(LocalSegment::withinKind);

    static LocalSegment of(String text) {
      return Digits.isNumber(text)
          ? new LocalSegment(true, Digits.significant(text))
          : new LocalSegment(false, text);
    }

    private int withinKind(LocalSegment other) {
      return isNumber ? Digits.BY_VALUE.compare(text, other.text) : text.compareTo(other.text);
    }
  }

  private record Pep440(
      String epoch,
      List<String> release,
      Phase phase,
      String phaseNumber,
      boolean isPost,
      String postNumber,
      boolean isNotDev,
      String devNumber,
      List<LocalSegment> local)
      implements Version {

    private static final Comparator<Pep440> ORDER =
        Comparator.comparing(Pep440::epoch, Digits.BY_VALUE)
            .thenComparing(Pep440::release, new Lexicographic<>(Digits.BY_VALUE))
            .thenComparing(Pep440::phase)
            .thenComparing(Pep440::phaseNumber, Digits.BY_VALUE)
            .thenComparing(Pep440::isPost)
            .thenComparing(Pep440::postNumber, Digits.BY_VALUE)
            .thenComparing(Pep440::isNotDev)
            .thenComparing(Pep440::devNumber, Digits.BY_VALUE)
            .thenComparing(Pep440::local, new Lexicographic<>(LocalSegment.ORDER));

    @Override
    public int compareTo(Version other) {
      return ORDER.compare(this, (Pep440) other);
    }
  }
}
