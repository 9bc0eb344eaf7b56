package dev.fencepost.kernel.identity.token;

import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.DefaultJWTTokenParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.ParseException;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jspecify.annotations.Nullable;

/**
 * SmallRye JWT, told everything it could otherwise find out from the token or the network: the key,
 * RS256 and nothing else, issuer, audience, leeway.
 */
public final class SignatureCheck {

  private final DefaultJWTTokenParser parser = new DefaultJWTTokenParser();
  private final JWTAuthContextInfo expected;
  private final Duration leeway;

  public SignatureCheck(PublicKey key, String issuer, String audience, Duration leeway) {
    this.leeway = leeway;
    expected = new JWTAuthContextInfo(key, issuer);
    expected.setSignatureAlgorithm(Set.of(SignatureAlgorithm.RS256));
    expected.setExpectedAudience(Set.of(audience));
    expected.setClockSkew((int) leeway.toSeconds());
  }

  /**
   * Verifies signature, issuer, audience and times.
   *
   * @throws TokenRefused if anything does not hold
   */
  public JwtClaims verify(TokenText token, Instant now) {
    try {
      var claims = parser.parse(token.text(), expected).getJwtClaims();
      requireTimes(claims, now);
      return claims;
    } catch (ParseException e) {
      throw new TokenRefused(reason(e.getCause()));
    } catch (MalformedClaimException e) {
      throw new TokenRefused(Reason.MALFORMED);
    }
  }

  private void requireTimes(JwtClaims claims, Instant now) throws MalformedClaimException {
    var issuedAt = claims.getIssuedAt();
    if (issuedAt == null || claims.getExpirationTime() == null || claims.getSubject() == null) {
      throw new TokenRefused(Reason.MISSING_CLAIM);
    }
    if (Instant.ofEpochSecond(issuedAt.getValue()).isAfter(now.plus(leeway))) {
      throw new TokenRefused(Reason.NOT_YET_VALID);
    }
  }

  private static Reason reason(@Nullable Throwable cause) {
    if (!(cause instanceof InvalidJwtException invalid)) {
      return Reason.MALFORMED;
    }
    if (invalid.hasErrorCode(ErrorCodes.SIGNATURE_INVALID)) {
      return Reason.BAD_SIGNATURE;
    }
    if (invalid.hasExpired()) {
      return Reason.EXPIRED;
    }
    if (invalid.hasErrorCode(ErrorCodes.NOT_YET_VALID)) {
      return Reason.NOT_YET_VALID;
    }
    if (invalid.hasErrorCode(ErrorCodes.ISSUER_INVALID)
        || invalid.hasErrorCode(ErrorCodes.ISSUER_MISSING)) {
      return Reason.WRONG_ISSUER;
    }
    if (invalid.hasErrorCode(ErrorCodes.AUDIENCE_INVALID)
        || invalid.hasErrorCode(ErrorCodes.AUDIENCE_MISSING)) {
      return Reason.WRONG_AUDIENCE;
    }
    return invalid.hasErrorCode(ErrorCodes.EXPIRATION_MISSING)
        ? Reason.MISSING_CLAIM
        : Reason.MALFORMED;
  }
}
