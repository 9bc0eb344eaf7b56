package dev.fencepost.assessment.risk;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;
import static java.util.Comparator.reverseOrder;

import dev.fencepost.assessment.advisory.Finding;
import java.util.Comparator;
import java.util.Locale;

/** A finding and the rule that decided it. */
record Judgement(Finding finding, Rule rule) {

  /** Weightiest first, and the same for every order in which the findings came. */
  static final Comparator<Judgement> WEIGHTIEST_FIRST =
      comparing(Judgement::rule)
          .thenComparing(of -> of.finding.cvssScore(), nullsLast(reverseOrder()))
          .thenComparing(of -> of.finding.vulnerabilityId(), naturalOrder())
          .thenComparing(of -> of.finding.purl(), naturalOrder());

  /** One line for people: why, which flaw, where. */
  String reason(Thresholds thresholds) {
    return "%s: %s in %s".formatted(why(thresholds), finding.vulnerabilityId(), finding.purl());
  }

  private String why(Thresholds thresholds) {
    var high = weight(thresholds.cvssHigh());
    return switch (rule) {
      case KNOWN_EXPLOITED -> "known to be exploited";
      case CRITICAL -> weight(thresholds.cvssCritical());
      case HIGH_AND_LIKELY -> high + " and EPSS " + finding.epss() + " >= " + thresholds.epss();
      case HIGH_AND_PUBLIC -> high + " on a public asset";
      case HIGH_ON_IMPORTANT_ASSET ->
          high + " on an asset of criticality >= " + lower(thresholds.criticality());
      case HIGH_AND_UNCHECKED -> high + " while KEV or EPSS could not be checked";
      case UNSCORED -> "neither a score nor a severity";
      case NONE -> "no rule fired";
    };
  }

  private String weight(double threshold) {
    return finding.cvssScore() == null
        ? "severity " + lower(finding.severity())
        : "CVSS " + finding.cvssScore() + " >= " + threshold;
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}
