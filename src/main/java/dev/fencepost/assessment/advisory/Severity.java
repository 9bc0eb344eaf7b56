package dev.fencepost.assessment.advisory;

/** A flaw's severity, as its score or its advisory's word says; least first. */
public enum Severity {
  UNKNOWN,
  NONE,
  LOW,
  MEDIUM,
  HIGH,
  CRITICAL
}
