package dev.fencepost.assessment.risk;

/** The rows of the decision table. The first that fires for a finding decides it. */
enum Rule {
  KNOWN_EXPLOITED(RiskLevel.HIGH),
  CRITICAL(RiskLevel.HIGH),
  HIGH_AND_LIKELY(RiskLevel.HIGH),
  HIGH_AND_PUBLIC(RiskLevel.HIGH),
  HIGH_ON_IMPORTANT_ASSET(RiskLevel.HIGH),
  HIGH_AND_UNCHECKED(RiskLevel.HIGH),
  UNSCORED(RiskLevel.UNKNOWN),
  NONE(RiskLevel.LOW);

  private final RiskLevel level;

  Rule(RiskLevel level) {
    this.level = level;
  }

  RiskLevel level() {
    return level;
  }
}
