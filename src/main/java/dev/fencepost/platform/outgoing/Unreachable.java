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
    /** The name does not resolve, or the target names no host. */
    UNKNOWN_HOST,
    /**
     * The connection broke, TLS failed, the answer was not HTTP, or our own side could not open a
     * connection: too much is in flight here, or no local port is free.
     */
    BROKEN,
    /** The answer was longer than allowed. */
    TOO_LARGE
  }

  private final Kind kind;
  private final String detail;
  private final boolean mayHaveBeenSent;

  /**
   * A failure of which nothing else is known: a request may have left unless its kind rules it out.
   */
  public Unreachable(Kind kind, String message) {
    this(kind, message, kind == Kind.TIMED_OUT || kind == Kind.BROKEN || kind == Kind.TOO_LARGE);
  }

  public Unreachable(Kind kind, String message, boolean mayHaveBeenSent) {
    super(message, null, false, false);
    this.kind = kind;
    this.detail = message;
    this.mayHaveBeenSent = mayHaveBeenSent;
  }

  public Kind kind() {
    return kind;
  }

  public String detail() {
    return detail;
  }

  /** False only when it is certain that no byte of the request left: then repeating is harmless. */
  public boolean mayHaveBeenSent() {
    return mayHaveBeenSent;
  }
}
