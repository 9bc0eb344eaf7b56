package dev.fencepost.platform.redis;

/**
 * Redis gave no answer, or the road to it is full. Whether a write happened is unknown unless
 * {@link #isOverload()}, when nothing was sent.
 */
public final class RedisUnavailable extends RuntimeException {

  private final boolean overload;

  private RedisUnavailable(String message, boolean overload) {
    super(message, null, false, false);
    this.overload = overload;
  }

  static RedisUnavailable noAnswer(String why) {
    return new RedisUnavailable(why, false);
  }

  static RedisUnavailable full(int inFlight) {
    return new RedisUnavailable(inFlight + " requests are in flight already", true);
  }

  /** True if the request was refused here, because too many are in flight. */
  public boolean isOverload() {
    return overload;
  }
}
