package dev.fencepost.kernel.idempotency;

/** What {@code idempotency/complete.lua} may answer. */
enum Completion {
  COMPLETED,
  RELEASED,
  NOT_FOUND,
  STALE_TOKEN,
  LEASE_LOST
}
