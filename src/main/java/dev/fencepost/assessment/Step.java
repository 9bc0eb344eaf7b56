package dev.fencepost.assessment;

/** The five steps of an assessment, in the order in which their facts are recorded. */
public enum Step {
  ONLINE_CHECK,
  VULNERABILITY_QUERY,
  THREAT_INTELLIGENCE,
  RISK_DECISION,
  NOTIFICATION
}
