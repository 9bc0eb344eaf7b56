package dev.fencepost.kernel.idempotency;

/** What came of claiming a key. */
sealed interface Claimed {

  /**
   * The work is the caller's to do.
   *
   * @param takenOver from a holder that left it without a word
   */
  record Granted(Claim claim, boolean takenOver) implements Claimed {}

  /** Someone is at work on it. */
  record InProgress(String holder) implements Claimed {}

  /** It is done, and this was the answer. */
  record Completed(StoredAnswer answer) implements Claimed {}

  /** The key belongs to another request. */
  record Mismatch() implements Claimed {}
}
