package dev.fencepost.platform.outgoing;

/** The outside gave no answer. Says what was tried and what came of it; never holds a secret. */
public final class Unreachable extends RuntimeException {

  /** What kind of no-answer it was. */
  public enum Kind {
    /** The host answered that nothing listens there. */
    REFUSED,
    /** No answer within the time limit: down, filtered or slow. */
    TIMED_OUT,
    /** No route to that host or network. */
    NO_ROUTE,
    /** The name does not resolve. */
    UNKNOWN_HOST,
    /** The connection broke, TLS failed, or the answer was not HTTP. */
    BROKEN,
    /** The answer was longer than allowed. */
    TOO_LARGE
  }

  private final Kind kind;

  public Unreachable(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
