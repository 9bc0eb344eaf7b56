package dev.fencepost.kernel.identity.grant;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.grant.OAuthRefused.Code;
import dev.fencepost.kernel.identity.token.AccessToken;
import dev.fencepost.kernel.identity.token.SignToken;
import dev.fencepost.kernel.identity.token.TokenSettings;
import dev.fencepost.kernel.identity.user.AdministerUsers;
import dev.fencepost.kernel.identity.user.SlowWork;
import dev.fencepost.kernel.identity.user.Standing;
import dev.fencepost.kernel.identity.user.Standings;
import dev.fencepost.kernel.identity.user.User;
import dev.fencepost.kernel.identity.user.UserKind;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives out tokens: for a password, for a client's secret, for a refresh token. */
@ApplicationScoped
class GiveTokens {

  private final LogIn logIn;
  private final FamilyStore families;
  private final Standings standings;
  private final AdministerUsers users;
  private final SignToken signToken;
  private final SlowWork slowWork;
  private final AuditTrail trail;
  private final TokenSettings settings;
  private final Entropy entropy;
  private final ObjectMapper json;

  GiveTokens(
      LogIn logIn,
      FamilyStore families,
      Standings standings,
      AdministerUsers users,
      SignToken signToken,
      SlowWork slowWork,
      AuditTrail trail,
      TokenSettings settings,
      Entropy entropy,
      ObjectMapper json) {
    this.logIn = logIn;
    this.families = families;
    this.standings = standings;
    this.users = users;
    this.signToken = signToken;
    this.slowWork = slowWork;
    this.trail = trail;
    this.settings = settings;
    this.entropy = entropy;
    this.json = json;
  }

  /** For a user's password, RFC 6749 section 4.3. */
  Uni<TokenAnswer> forPassword(OAuthForm form, Client client, Origin origin) {
    var userId = form.require("username");
    return logIn
        .prove(userId, List.of(form.require("password")), origin)
        .map(user -> user.orElseThrow(() -> invalid("user or password is wrong")))
        .flatMap(
            user ->
                families
                    .begin(user, client.mark(), by(user.userId(), origin))
                    .flatMap(
                        token ->
                            sign(accessToken(user, token.grant()), user.permissions(), token)));
  }

  /** For the secret of a client that acts for itself, RFC 6749 section 4.4. */
  Uni<TokenAnswer> forClient(Client client, Origin origin) {
    var user =
        client
            .user()
            .orElseThrow(
                () -> new OAuthRefused(Code.INVALID_CLIENT, "the client must give its secret"));
    if (user.kind() == UserKind.PERSON) {
      throw new OAuthRefused(Code.UNAUTHORIZED_CLIENT, "a person logs in with grant_type=password");
    }
    trail.append(
        new AuditEvent(
            "LOGIN", "accepted", "user", user.userId(), by(user.userId(), origin), Map.of()));
    return sign(accessToken(user, "g" + entropy.freshId()), user.permissions(), null);
  }

  /** For a refresh token, RFC 6749 section 6. */
  Uni<TokenAnswer> forRefresh(OAuthForm form, Client client, Origin origin) {
    var presented =
        RefreshToken.parse(form.require("refresh_token")).orElseThrow(GiveTokens::unknownToken);
    return families
        .find(presented)
        .map(family -> family.orElseThrow(GiveTokens::unknownToken))
        .flatMap(family -> refresh(family, presented, client, by(family.userId(), origin)));
  }

  private Uni<TokenAnswer> refresh(
      Family family, RefreshToken presented, Client client, Origin origin) {
    return standings
        .of(family.userId(), family.tokenVersion(), 0)
        .map(standing -> stillLoggedIn(family, standing))
        .flatMap(standing -> next(family, presented, standing))
        .flatMap(
            next ->
                families
                    .rotate(
                        family,
                        presented,
                        client.mark(),
                        next.token,
                        presented.seal(
                            write(next.answer), entropy.freshBytes(RefreshToken.SEAL_BYTES)),
                        origin)
                    .flatMap(rotation -> answer(rotation, next.answer, family, presented, origin)));
  }

  private record Next(RefreshToken token, TokenAnswer answer) {}

  private Uni<Next> next(Family family, RefreshToken presented, Standing standing) {
    var token = RefreshToken.of(presented.family(), entropy.freshBytes(RefreshToken.SECRET_BYTES));
    var access =
        accessToken(
            family.userId(), token.grant(), family.tokenVersion(), standing.permissionVersion());
    return sign(access, standing.permissions(), token).map(answer -> new Next(token, answer));
  }

  private Uni<TokenAnswer> answer(
      Rotation rotation,
      TokenAnswer prepared,
      Family family,
      RefreshToken presented,
      Origin origin) {
    return switch (rotation.answer()) {
      case ROTATED -> Uni.createFrom().item(prepared);
      case REPEATED -> Uni.createFrom().item(read(presented.unseal(rotation.sealed())));
      case REUSED ->
          users
              .revoke(
                  family.userId(),
                  presented.grant(),
                  entropy.now().plus(settings.lifetime()).plus(settings.leeway()),
                  origin)
              .map(
                  done -> {
                    throw invalid("the refresh token was used before; its login has ended");
                  });
      case REVOKED, NOT_FOUND -> throw unknownToken();
      case OTHER_CLIENT -> throw invalid("the refresh token was given to another client");
    };
  }

  private static Standing stillLoggedIn(Family family, Optional<Standing> known) {
    return known
        .filter(standing -> !standing.gone())
        .filter(standing -> standing.tokenVersion() == family.tokenVersion())
        .orElseThrow(GiveTokens::unknownToken);
  }

  private AccessToken accessToken(User user, String grant) {
    return accessToken(user.userId(), grant, user.tokenVersion(), user.permissionVersion());
  }

  private AccessToken accessToken(
      String userId, String grant, long tokenVersion, long permissionVersion) {
    var now = entropy.now();
    return new AccessToken(
        userId,
        grant + "." + entropy.freshId(),
        tokenVersion,
        permissionVersion,
        now,
        now.plus(settings.lifetime()));
  }

  private Uni<TokenAnswer> sign(
      AccessToken token, Set<Permission> permissions, @Nullable RefreshToken refresh) {
    return slowWork
        .compute(() -> signToken.sign(token))
        .map(
            signed ->
                new TokenAnswer(
                    signed,
                    "Bearer",
                    settings.lifetime().toSeconds(),
                    refresh == null ? null : refresh.text(),
                    permissions.stream().map(Permission::wire).sorted().collect(joining(" "))));
  }

  private String write(TokenAnswer answer) {
    try {
      return json.writeValueAsString(answer);
    } catch (JsonProcessingException e) {
      throw new AssertionError("an answer is plain data", e);
    }
  }

  private TokenAnswer read(String answer) {
    try {
      return json.readValue(answer, TokenAnswer.class);
    } catch (JsonProcessingException e) {
      throw new AssertionError("we wrote it ourselves", e);
    }
  }

  /** The same request, on behalf of somebody who is known by now. */
  private static Origin by(String userId, Origin origin) {
    return new Origin(origin.trace(), Optional.of(userId), origin.ipAddress(), origin.userAgent());
  }

  private static OAuthRefused unknownToken() {
    return invalid("the refresh token is not good any more");
  }

  private static OAuthRefused invalid(String why) {
    return new OAuthRefused(Code.INVALID_GRANT, why);
  }
}
