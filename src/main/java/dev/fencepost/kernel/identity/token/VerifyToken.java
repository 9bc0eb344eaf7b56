package dev.fencepost.kernel.identity.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import dev.fencepost.platform.time.Entropy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jspecify.annotations.Nullable;

/**
 * Verifies our own access tokens, without asking anyone. A signature that was checked once need not
 * be checked again, so what was verified is remembered, by its whole text, while it is good.
 */
@ApplicationScoped
public class VerifyToken {

  /** About as many callers as a replica serves within a token's lifetime; 1 KB each. */
  private static final int MOST_REMEMBERED = 20_000;

  private final Cache<String, AccessToken> remembered =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();
  private final Map<String, SignatureCheck> checks;
  private final TokenSettings settings;
  private final Entropy entropy;

  VerifyToken(SigningKeys keys, TokenSettings settings, Entropy entropy) {
    this.settings = settings;
    this.entropy = entropy;
    this.checks =
        keys.all().values().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    SigningKey::kid,
                    key ->
                        new SignatureCheck(
                            key.open(),
                            settings.issuer(),
                            settings.audience(),
                            settings.leeway())));
  }

  /**
   * Verifies a token that came from a stranger.
   *
   * @throws TokenRefused if it is not ours, or not good now
   */
  public AccessToken verify(TokenText token) {
    var check = checks.get(token.kid());
    if (check == null) {
      throw new TokenRefused(Reason.UNKNOWN_KEY);
    }
    var verified = read(check.verify(token, entropy.now()));
    remembered.put(token.text(), verified);
    return verified;
  }

  /** What was verified before and is in time still; empty means nothing. */
  public Optional<AccessToken> remembered(String text) {
    return Optional.ofNullable(remembered.getIfPresent(text))
        .filter(token -> entropy.now().minus(settings.leeway()).isBefore(token.expiresAt()));
  }

  /** The same, of the text of a token. */
  public AccessToken verify(String token) {
    return verify(TokenText.parse(token, settings.maxLength()));
  }

  private static AccessToken read(JwtClaims claims) {
    try {
      return new AccessToken(
          claims.getSubject(),
          present(claims.getJwtId()),
          present(claims.getClaimValue("tv", Long.class)),
          present(claims.getClaimValue("pv", Long.class)),
          Instant.ofEpochSecond(claims.getIssuedAt().getValue()),
          Instant.ofEpochSecond(claims.getExpirationTime().getValue()));
    } catch (MalformedClaimException e) {
      throw new TokenRefused(Reason.MALFORMED);
    }
  }

  private static <T> T present(@Nullable T claim) {
    if (claim == null) {
      throw new TokenRefused(Reason.MISSING_CLAIM);
    }
    return claim;
  }
}
