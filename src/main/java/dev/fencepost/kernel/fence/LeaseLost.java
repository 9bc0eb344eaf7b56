package dev.fencepost.kernel.fence;

/** The holder is not the holder any more. Whatever it was about to do must not happen. */
public final class LeaseLost extends RuntimeException {

  /** How a holder comes to know. */
  public enum Cause {
    /** A write was refused: Redis has counted and recorded it. */
    REFUSED,
    /** The keeper or a clock noticed: Redis has not heard of it yet. */
    NOTICED,
    /** It was given up on purpose, because the process is about to end. */
    HANDED_OVER
  }

  private final Cause cause;

  public LeaseLost(Cause cause, String message) {
    super(message, null, false, false);
    this.cause = cause;
  }

  public Cause cause() {
    return cause;
  }
}
