package dev.fencepost.assessment;

import java.time.Duration;

/**
 * What becomes of lease and agenda entry after a write.
 *
 * @param delay RETURN: when it is due again; else zero
 */
record Then(Kind kind, Duration delay) {

  enum Kind {
    /** The holder goes on. */
    KEEP,
    /** The holder lets go; the ticket is due again later. */
    RETURN,
    /** The ticket has ended. */
    END
  }

  static final Then KEEP = new Then(Kind.KEEP, Duration.ZERO);
  static final Then END = new Then(Kind.END, Duration.ZERO);

  static final Then NOW = returnAfter(Duration.ZERO);

  static Then returnAfter(Duration delay) {
    return new Then(Kind.RETURN, delay);
  }
}
