package dev.fencepost.assessment.advisory;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Debian's releases, by the number that OSV uses and the names that SBOM tools write into a purl's
 * {@code distro} qualifier: {@code bullseye}, {@code debian-11}, {@code debian-10.2}, {@code 11}.
 */
record DebianRelease(String number) {

  private static final Map<String, String> NUMBERS =
      Map.ofEntries(
          Map.entry("woody", "3.0"),
          Map.entry("sarge", "3.1"),
          Map.entry("etch", "4.0"),
          Map.entry("lenny", "5.0"),
          Map.entry("squeeze", "6.0"),
          Map.entry("wheezy", "7"),
          Map.entry("jessie", "8"),
          Map.entry("stretch", "9"),
          Map.entry("buster", "10"),
          Map.entry("bullseye", "11"),
          Map.entry("bookworm", "12"),
          Map.entry("trixie", "13"),
          Map.entry("forky", "14"),
          Map.entry("duke", "15"));

  private static final Pattern POINT_RELEASE = Pattern.compile("(\\d+)(?:\\.\\d+)*");

  /**
   * The release a {@code distro} qualifier names. Empty for one that is not known: an ecosystem
   * nobody writes advisories for would match nothing, and look clean.
   */
  static Optional<DebianRelease> of(String distro) {
    var name = distro.toLowerCase(Locale.ROOT).replaceFirst("^debian[- :]", "");
    var number = NUMBERS.getOrDefault(name, name);
    if (NUMBERS.containsValue(number)) {
      return Optional.of(new DebianRelease(number));
    }
    var point = POINT_RELEASE.matcher(number);
    return point.matches()
        ? Optional.of(point.group(1))
            .map(major -> NUMBERS.containsValue(major + ".0") ? major + ".0" : major)
            .filter(NUMBERS::containsValue)
            .map(DebianRelease::new)
        : Optional.empty();
  }

  String ecosystem() {
    return "Debian:" + number;
  }
}
