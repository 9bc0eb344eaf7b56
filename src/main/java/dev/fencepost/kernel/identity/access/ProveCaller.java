package dev.fencepost.kernel.identity.access;

import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.issuer.OutsideIssuers;
import dev.fencepost.kernel.identity.token.AccessToken;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import dev.fencepost.kernel.identity.token.TokenSettings;
import dev.fencepost.kernel.identity.token.TokenText;
import dev.fencepost.kernel.identity.token.VerifyToken;
import dev.fencepost.kernel.identity.user.Standing;
import dev.fencepost.kernel.identity.user.Standings;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Turns a token into a caller: what the token says is verified locally, what was decided since it
 * was given out is looked up, at most once.
 */
@ApplicationScoped
public class ProveCaller {

  private final VerifyToken ours;
  private final OutsideIssuers outside;
  private final Standings standings;
  private final TokenSettings settings;

  ProveCaller(
      VerifyToken ours, OutsideIssuers outside, Standings standings, TokenSettings settings) {
    this.ours = ours;
    this.outside = outside;
    this.standings = standings;
    this.settings = settings;
  }

  /**
   * Judges a token of anyone.
   *
   * @return fails with {@link TokenRefused} if it proves nothing, with {@code Refused(UNAVAILABLE)}
   *     if nobody can say whether it is still good
   */
  public Uni<Caller> prove(String text) {
    return Uni.createFrom()
        .deferred(
            () -> ours.remembered(text).map(this::stillGood).orElseGet(() -> firstSeen(text)));
  }

  private Uni<Caller> firstSeen(String text) {
    var token = TokenText.parse(text, settings.maxLength());
    return outside
        .issuerOf(token)
        .map(issuer -> issuer.prove(token))
        .orElseGet(() -> stillGood(ours.verify(token)));
  }

  private Uni<Caller> stillGood(AccessToken token) {
    return standings
        .of(token.subject(), token.tokenVersion(), token.permissionVersion())
        .map(standing -> judge(token, standing));
  }

  private static Caller judge(AccessToken token, Optional<Standing> known) {
    var standing =
        known.filter(s -> !s.gone()).orElseThrow(() -> new TokenRefused(Reason.UNKNOWN_SUBJECT));
    if (standing.tokenVersion() != token.tokenVersion()
        || standing.permissionVersion() < token.permissionVersion()) {
      throw new TokenRefused(Reason.LOGGED_OUT);
    }
    if (standing.isRevoked(token.id(), token.grant())) {
      throw new TokenRefused(Reason.REVOKED);
    }
    return new Caller(token.subject(), standing.permissions());
  }
}
