package dev.fencepost.assessment.threat;

import dev.fencepost.assessment.advisory.Finding;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The ids by which threat intelligence knows flaws. */
final class CveIds {

  private static final Pattern CVE = Pattern.compile("CVE-[0-9]{4}-[0-9]{4,19}");

  private CveIds() {}

  static boolean isCve(String id) {
    return CVE.matcher(id).matches();
  }

  /**
   * The CVE ids among a finding's own id, its aliases, and what a distribution's advisory names.
   */
  static List<String> of(Finding finding) {
    return Stream.of(
            Stream.of(finding.vulnerabilityId()),
            finding.aliases().stream(),
            finding.upstream().stream())
        .flatMap(ids -> ids)
        .map(id -> id.toUpperCase(Locale.ROOT))
        .filter(CveIds::isCve)
        .distinct()
        .toList();
  }
}
