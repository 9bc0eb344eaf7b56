package dev.fencepost.kernel.identity.grant;

/**
 * What came of a login that was judged.
 *
 * @param wrong how many passwords were wrong in it
 * @param right whether one was right
 */
record Outcome(int wrong, boolean right) {

  static final Outcome RIGHT = new Outcome(0, true);

  /** Nobody could say: it proves nothing, for or against. */
  static final Outcome UNDECIDED = new Outcome(0, false);

  static Outcome wrong(int passwords) {
    return new Outcome(passwords, false);
  }
}
