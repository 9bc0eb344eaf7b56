package dev.fencepost.assessment.risk;

/** How an assessment ends. */
public enum RiskLevel {
  HIGH,
  LOW,
  /** It could not be said: someone must look, or the asset was not assessed. */
  UNKNOWN
}
