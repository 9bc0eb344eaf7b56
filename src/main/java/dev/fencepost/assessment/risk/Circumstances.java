package dev.fencepost.assessment.risk;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import dev.fencepost.assessment.threat.Enriched;
import dev.fencepost.asset.Criticality;
import dev.fencepost.asset.Exposure;
import org.jspecify.annotations.Nullable;

/**
 * The decision table, for the findings of one asset.
 *
 * <p>A finding's weight is its CVSS score; without one, its advisory's word: {@code CRITICAL}
 * weighs as the critical threshold, {@code HIGH} as the high one, lesser words as less. Without
 * either it is unscored, and only being known to be exploited decides it.
 *
 * <p>A finding "could not be checked" if its KEV answer is unknown (no catalogue, or no CVE id to
 * ask for) or if no EPSS scores are at hand. A flaw that EPSS has not scored yet was checked.
 * Exposure or criticality that nobody stated speaks for nothing.
 */
record Circumstances(
    boolean isEpssAvailable, boolean isPublic, boolean isImportant, Thresholds thresholds) {

  private enum Weight {
    UNSCORED,
    LESSER,
    HIGH,
    CRITICAL
  }

  static Circumstances of(
      Enriched enriched,
      Exposure exposure,
      @Nullable Criticality criticality,
      Thresholds thresholds) {
    return new Circumstances(
        enriched.epssAvailable(),
        exposure == Exposure.PUBLIC,
        criticality != null && criticality.compareTo(thresholds.criticality()) >= 0,
        thresholds);
  }

  Rule judge(Finding finding) {
    if (finding.knownExploited() == KnownExploited.YES) {
      return Rule.KNOWN_EXPLOITED;
    }
    return switch (weigh(finding)) {
      case CRITICAL -> Rule.CRITICAL;
      case HIGH -> judgeHigh(finding);
      case LESSER -> Rule.NONE;
      case UNSCORED -> Rule.UNSCORED;
    };
  }

  private Rule judgeHigh(Finding finding) {
    if (finding.epss() != null && finding.epss() >= thresholds.epss()) {
      return Rule.HIGH_AND_LIKELY;
    }
    if (isPublic) {
      return Rule.HIGH_AND_PUBLIC;
    }
    if (isImportant) {
      return Rule.HIGH_ON_IMPORTANT_ASSET;
    }
    return isUnchecked(finding) ? Rule.HIGH_AND_UNCHECKED : Rule.NONE;
  }

  private boolean isUnchecked(Finding finding) {
    return finding.knownExploited() == KnownExploited.UNKNOWN || !isEpssAvailable;
  }

  private Weight weigh(Finding finding) {
    var score = finding.cvssScore();
    if (score == null) {
      return switch (finding.severity()) {
        case CRITICAL -> Weight.CRITICAL;
        case HIGH -> Weight.HIGH;
        case MEDIUM, LOW, NONE -> Weight.LESSER;
        case UNKNOWN -> Weight.UNSCORED;
      };
    }
    if (score >= thresholds.cvssCritical()) {
      return Weight.CRITICAL;
    }
    return score >= thresholds.cvssHigh() ? Weight.HIGH : Weight.LESSER;
  }
}
