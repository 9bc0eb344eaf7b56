package dev.fencepost.kernel.fence;

/** The holder is not the holder any more. Whatever it was about to do must not happen. */
public final class LeaseLost extends RuntimeException {

  private final boolean recorded;

  private LeaseLost(String message, boolean recorded) {
    super(message, null, false, false);
    this.recorded = recorded;
  }

  /** Noticed by the keeper or a clock: Redis has not heard of it yet. */
  public static LeaseLost noticed(String why) {
    return new LeaseLost(why, false);
  }

  /** Learned from a refused write: Redis has counted and recorded it. */
  public static LeaseLost refused(String why) {
    return new LeaseLost(why, true);
  }

  /** Whether the refusal stands in the event stream already. */
  public boolean isRecorded() {
    return recorded;
  }
}
