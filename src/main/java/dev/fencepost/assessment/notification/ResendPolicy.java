package dev.fencepost.assessment.notification;

/** What to do when nobody knows whether a message arrived. */
public enum ResendPolicy {
  /** Send it again, under the same id, saying that it may be a repeat. */
  ALWAYS,
  /** Leave it uncertain, for a person to look at. */
  NEVER
}
