package dev.fencepost.kernel.audit.ledger;

/** Someone else has moved these events. Nothing was written. */
final class HeadMoved extends RuntimeException {

  HeadMoved(int lane) {
    super("the head of lane " + lane + " is not where it was read", null, false, false);
  }
}
