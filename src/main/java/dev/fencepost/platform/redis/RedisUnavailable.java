package dev.fencepost.platform.redis;

/**
 * Redis did not take a command. Whether a write happened is unknown if there was no answer; if
 * Redis refused it, or nothing was sent because the road is full, it did not.
 */
public final class RedisUnavailable extends RuntimeException {

  /** What became of the command. */
  public enum Cause {
    NO_ANSWER,
    TAKES_NO_WRITES,
    TOO_MANY_IN_FLIGHT
  }

  private final Cause cause;

  private RedisUnavailable(String message, Cause cause) {
    super(message, null, false, false);
    this.cause = cause;
  }

  static RedisUnavailable noAnswer(String why) {
    return new RedisUnavailable(why, Cause.NO_ANSWER);
  }

  static RedisUnavailable refusal(String reason) {
    return new RedisUnavailable("it takes no writes: " + reason, Cause.TAKES_NO_WRITES);
  }

  static RedisUnavailable full(int inFlight) {
    return new RedisUnavailable(
        inFlight + " requests are in flight already", Cause.TOO_MANY_IN_FLIGHT);
  }

  public Cause cause() {
    return cause;
  }
}
