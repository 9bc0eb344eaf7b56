package dev.fencepost.kernel.identity.grant;

import java.time.Duration;
import java.util.Optional;

/** A "no" in the words of OAuth. */
final class OAuthRefused extends RuntimeException {

  /** The errors of RFC 6749, section 5.2, and their status. */
  enum Code {
    INVALID_REQUEST(400),
    INVALID_CLIENT(401),
    INVALID_GRANT(400),
    UNAUTHORIZED_CLIENT(400),
    UNSUPPORTED_GRANT_TYPE(400),
    /** Not of that section, but of 4.1.2.1: come back later. */
    TEMPORARILY_UNAVAILABLE(503),
    /** The same, said to someone who guesses passwords. */
    SLOW_DOWN(429);

    private final int status;

    Code(int status) {
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  private final Code error;
  private final String description;
  private final Duration retryAfter;

  OAuthRefused(Code error, String description) {
    this(error, description, Duration.ZERO);
  }

  OAuthRefused(Code error, String description, Duration retryAfter) {
    super(description, null, false, false);
    this.error = error;
    this.description = description;
    this.retryAfter = retryAfter;
  }

  Code error() {
    return error;
  }

  String description() {
    return description;
  }

  Optional<Duration> retryAfter() {
    return retryAfter.isZero() ? Optional.empty() : Optional.of(retryAfter);
  }
}
