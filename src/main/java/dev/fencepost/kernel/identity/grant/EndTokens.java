package dev.fencepost.kernel.identity.grant;

import static java.util.stream.Collectors.joining;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.access.ProveCaller;
import dev.fencepost.kernel.identity.token.AccessToken;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenSettings;
import dev.fencepost.kernel.identity.token.VerifyToken;
import dev.fencepost.kernel.identity.user.AdministerUsers;
import dev.fencepost.kernel.identity.user.Standings;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;

/** Takes tokens back, and says which are still good. Who holds a token may do either with it. */
@ApplicationScoped
class EndTokens {

  private final FamilyStore families;
  private final Standings standings;
  private final AdministerUsers users;
  private final VerifyToken verifyToken;
  private final ProveCaller proveCaller;
  private final TokenSettings settings;
  private final Entropy entropy;

  EndTokens(
      FamilyStore families,
      Standings standings,
      AdministerUsers users,
      VerifyToken verifyToken,
      ProveCaller proveCaller,
      TokenSettings settings,
      Entropy entropy) {
    this.families = families;
    this.standings = standings;
    this.users = users;
    this.verifyToken = verifyToken;
    this.proveCaller = proveCaller;
    this.settings = settings;
    this.entropy = entropy;
  }

  /**
   * Ends a token. With a refresh token its whole login ends, access tokens included; nothing that
   * was refreshed at the same moment outlives it.
   */
  Uni<Void> revoke(String token, Origin origin) {
    var refresh = RefreshToken.parse(token);
    return refresh.isPresent()
        ? revokeLogin(refresh.get(), origin)
        : verified(token)
            .map(access -> users.revoke(access.subject(), access.id(), end(access), origin))
            .orElseGet(() -> Uni.createFrom().voidItem());
  }

  private Uni<Void> revokeLogin(RefreshToken token, Origin origin) {
    return families
        .find(token)
        .flatMap(
            family ->
                family.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : families
                        .end(family.get(), token, origin)
                        .flatMap(
                            ended ->
                                ended
                                    ? users.revoke(
                                        family.get().userId(),
                                        token.grant(),
                                        entropy
                                            .now()
                                            .plus(settings.lifetime())
                                            .plus(settings.leeway()),
                                        origin)
                                    : Uni.createFrom().voidItem()));
  }

  /** Whether a token is good now, and what it says. */
  Uni<Introspection> introspect(String token) {
    var refresh = RefreshToken.parse(token);
    return refresh.isPresent() ? introspect(refresh.get()) : introspectAccess(token);
  }

  private Uni<Introspection> introspectAccess(String token) {
    return verified(token)
        .map(
            access ->
                proveCaller
                    .prove(token)
                    .map(caller -> active(access, caller))
                    .onFailure(TokenRefused.class)
                    .recoverWithItem(Introspection.INACTIVE))
        .orElseGet(() -> Uni.createFrom().item(Introspection.INACTIVE));
  }

  private Uni<Introspection> introspect(RefreshToken token) {
    return families
        .find(token)
        .map(found -> found.filter(f -> !f.revoked() && f.current().equals(token.hash())))
        .flatMap(
            found ->
                found.isEmpty()
                    ? Uni.createFrom().item(Introspection.INACTIVE)
                    : introspect(found.get()));
  }

  private Uni<Introspection> introspect(Family family) {
    return standings
        .of(family.userId(), family.tokenVersion(), 0)
        .map(
            known ->
                known
                    .filter(standing -> !standing.gone())
                    .filter(standing -> standing.tokenVersion() == family.tokenVersion())
                    .map(standing -> active(family.userId()))
                    .orElse(Introspection.INACTIVE));
  }

  private Introspection active(AccessToken token, Caller caller) {
    return new Introspection(
        true,
        caller.permissions().stream().map(Permission::wire).sorted().collect(joining(" ")),
        token.subject(),
        "Bearer",
        token.expiresAt().getEpochSecond(),
        token.issuedAt().getEpochSecond(),
        token.subject(),
        settings.audience(),
        settings.issuer(),
        token.id());
  }

  private Introspection active(String userId) {
    return new Introspection(
        true, null, userId, null, null, null, userId, null, settings.issuer(), null);
  }

  private Optional<AccessToken> verified(String token) {
    try {
      return Optional.of(verifyToken.verify(token));
    } catch (TokenRefused refused) {
      return Optional.empty();
    }
  }

  private Instant end(AccessToken token) {
    return token.expiresAt().plus(settings.leeway());
  }
}
