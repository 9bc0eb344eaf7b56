package dev.fencepost.assessment;

/** What {@code assessment/record.lua} may answer. */
enum Recorded {
  RECORDED,
  NOT_FOUND,
  STALE_TOKEN,
  LEASE_LOST,
  ILLEGAL_TRANSITION;

  /** Whether nothing was written. */
  boolean isRefusal() {
    return this != RECORDED;
  }
}
