package dev.fencepost.assessment.advisory.version;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * SemVer 2.0 (semver.org, section 11) for npm and crates.io. Numbers may have any length. A leading
 * {@code v} or {@code =} is dropped, as npm itself does: it leaves no doubt about the version. All
 * else that is not SemVer (ranges, tags, a missing patch, leading zeros) is refused.
 */
final class SemVerOrder implements VersionOrder {

  static final String NUMBER = "(?:0|[1-9][0-9]*)";
  static final String IDENTIFIER = "(?:" + NUMBER + "|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
  static final String PRE_RELEASE = IDENTIFIER + "(?:\\." + IDENTIFIER + ")*";
  static final String BUILD = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";

  private static final Shape SHAPE =
      new Shape(
          Pattern.compile(
              "[v=]?(?<major>%1$s)\\.(?<minor>%1$s)\\.(?<patch>%1$s)(?:-(?<pre>%2$s))?(?:\\+%3$s)?"
                  .formatted(NUMBER, PRE_RELEASE, BUILD)),
          "SemVer");

  @Override
  public Version parse(String text) {
    var parts = SHAPE.match(text);
    var core = List.of(parts.group("major"), parts.group("minor"), parts.group("patch"));
    return SemVer.of(core, parts.group("pre"));
  }

  /**
   * A version without its build metadata, which has no place in the order.
   *
   * @param core major, minor and patch, without leading zeros
   * @param preRelease empty for a release
   */
  record SemVer(List<String> core, List<String> preRelease) implements Version {

    private static final Comparator<String> IDENTIFIERS =
        Comparator.comparing((String identifier) -> !Digits.isNumber(identifier))
            .thenComparing(SemVer::withinKind);

    private static final Comparator<SemVer> ORDER =
        Comparator.comparing(SemVer::core, new Lexicographic<>(Digits.BY_VALUE))
            .thenComparing(version -> version.preRelease.isEmpty())
            .thenComparing(SemVer::preRelease, new Lexicographic<>(IDENTIFIERS));

    static SemVer of(List<String> core, @Nullable String preRelease) {
      return new SemVer(
          core, preRelease == null ? List.of() : List.of(preRelease.split("\\.", -1)));
    }

    private static int withinKind(String left, String right) {
      return Digits.isNumber(left) ? Digits.BY_VALUE.compare(left, right) : left.compareTo(right);
    }

    @Override
    public int compareTo(Version other) {
      return ORDER.compare(this, (SemVer) other);
    }
  }
}
