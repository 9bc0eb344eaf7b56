package dev.fencepost.kernel.identity.grant;

/**
 * What came of a refresh.
 *
 * @param sealed the answer of the first, for {@link Answer#REPEATED}; else empty
 */
record Rotation(Answer answer, String sealed) {

  /** What {@code identity/rotate.lua} may answer. */
  enum Answer {
    ROTATED,
    REPEATED,
    REUSED,
    REVOKED,
    OTHER_CLIENT,
    NOT_FOUND
  }
}
