package dev.fencepost.kernel.identity.token;

import java.time.Instant;

/**
 * What one of our access tokens says.
 *
 * @param subject whom it was given to
 * @param id {@code jti}: {@code <grant>.<ulid>}; tokens of one login have one grant
 * @param tokenVersion counts logouts of the subject; an older one is not good any more
 * @param permissionVersion counts changes of its permissions
 */
public record AccessToken(
    String subject,
    String id,
    long tokenVersion,
    long permissionVersion,
    Instant issuedAt,
    Instant expiresAt) {

  /** The login it comes from. */
  public String grant() {
    var dot = id.indexOf('.');
    return dot < 0 ? id : id.substring(0, dot);
  }
}
