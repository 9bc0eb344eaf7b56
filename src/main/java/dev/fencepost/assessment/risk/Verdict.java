package dev.fencepost.assessment.risk;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The decision about an asset, with the rules that led to it.
 *
 * @param reasons for people: each names a rule and the finding it fired for
 */
public record Verdict(RiskLevel level, List<String> reasons, Evidence evidence) {

  public Verdict {
    requireNonNull(level, "level");
    requireNonNull(evidence, "evidence");
    reasons = List.copyOf(reasons);
  }

  /** Nothing was asked, for the asset did not answer. */
  public static Verdict offline() {
    return notAssessed("offline");
  }

  /** Nothing was asked, for this reason. Nobody is alarmed. */
  public static Verdict notAssessed(String why) {
    return new Verdict(RiskLevel.UNKNOWN, List.of("not assessed: " + why), Evidence.none());
  }

  /**
   * Whether someone is to be told: of a high risk, and of an assessment that could not come to a
   * conclusion; not of an asset that was not assessed.
   */
  public boolean alarms() {
    return switch (level) {
      case HIGH -> true;
      case LOW -> false;
      case UNKNOWN -> evidence.advisorySource() != null;
    };
  }
}
