package dev.fencepost.assessment.risk;

import dev.fencepost.asset.Criticality;

/**
 * The numbers of the decision table.
 *
 * @param cvssCritical in [0, 10]; from here a flaw is a high risk by itself
 * @param cvssHigh in [0, 10]; from here it is one if anything else speaks for it
 * @param epss in [0, 1]; a probability that speaks for it
 * @param criticality the least of an asset that speaks for it
 */
record Thresholds(double cvssCritical, double cvssHigh, double epss, Criticality criticality) {

  private static final double MAX_CVSS = 10;

  Thresholds {
    check("cvss-critical", cvssCritical, MAX_CVSS);
    check("cvss-high", cvssHigh, MAX_CVSS);
    check("epss", epss, 1);
  }

  private static void check(String name, double value, double max) {
    if (!(value >= 0 && value <= max)) {
      throw new IllegalArgumentException(
          "fencepost.risk.%s must be in [0, %s], but was %s".formatted(name, max, value));
    }
  }

  static Thresholds of(RiskConfig config) {
    return new Thresholds(
        config.cvssCritical(), config.cvssHigh(), config.epss(), config.criticality());
  }
}
