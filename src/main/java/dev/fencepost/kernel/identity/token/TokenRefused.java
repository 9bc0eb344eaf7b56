package dev.fencepost.kernel.identity.token;

/** A token that proves nothing. The reason is for the audit trail; the client is not told. */
public final class TokenRefused extends RuntimeException {

  /** What is wrong with it. */
  public enum Reason {
    OVERSIZED,
    MALFORMED,
    WRONG_ALGORITHM,
    HEADER_NOT_ALLOWED,
    UNKNOWN_KEY,
    BAD_SIGNATURE,
    DUPLICATE_CLAIM,
    MISSING_CLAIM,
    WRONG_ISSUER,
    WRONG_AUDIENCE,
    EXPIRED,
    NOT_YET_VALID,
    UNKNOWN_SUBJECT,
    LOGGED_OUT,
    REVOKED,
    NO_TOKEN,
    TOKEN_IN_QUERY
  }

  private final Reason reason;

  public TokenRefused(Reason reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
