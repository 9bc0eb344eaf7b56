package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.identity.user.User;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Families of refresh tokens, in the lane of their user. Tokens are kept as hashes only. */
@ApplicationScoped
class FamilyStore {

  private static final LuaScript BEGIN = LuaScript.named("identity/begin");
  private static final LuaScript ROTATE = LuaScript.named("identity/rotate");
  private static final LuaScript END = LuaScript.named("identity/end");

  private final RedisRoad redis;
  private final Lanes lanes;
  private final Entropy entropy;
  private final GrantSettings settings;
  private final AuditSettings audit;

  FamilyStore(
      RedisRoad redis, Lanes lanes, Entropy entropy, GrantSettings settings, AuditSettings audit) {
    this.redis = redis;
    this.lanes = lanes;
    this.entropy = entropy;
    this.settings = settings;
    this.audit = audit;
  }

  /** Begins a family, and records the login. */
  Uni<RefreshToken> begin(User user, String client, Origin origin) {
    var lane = lanes.of(user.userId());
    var token =
        RefreshToken.of(
            Lanes.idIn(lane, 'f', entropy.freshId()),
            entropy.freshBytes(RefreshToken.SECRET_BYTES));
    return redis
        .run(
            BEGIN,
            List.of(family(lane, token), events(lane)),
            List.of(
                user.userId(),
                client,
                Long.toString(user.tokenVersion()),
                token.hash(),
                Long.toString(settings.lifetime().toMillis()),
                origin.json(),
                Integer.toString(audit.backlog()),
                token.grant()))
        .invoke(answer -> Begun.valueOf(answer.toString()))
        .replaceWith(token);
  }

  /** The family a token claims to be of; empty if there is none, or it has run out. */
  Uni<Optional<Family>> find(RefreshToken token) {
    var lane = lanes.carriedBy(token.family());
    if (lane.isEmpty()) {
      return Uni.createFrom().item(Optional.empty());
    }
    return redis
        .send(
            Request.cmd(Command.HMGET)
                .arg(family(lane.get(), token))
                .arg("user_id")
                .arg("client")
                .arg("tv")
                .arg("current")
                .arg("revoked"))
        .map(FamilyStore::read);
  }

  /**
   * Exchanges a token for the next.
   *
   * @param sealed the answer that is given if this comes first
   */
  Uni<Rotation> rotate(
      Family family,
      RefreshToken presented,
      String client,
      RefreshToken next,
      String sealed,
      Origin origin) {
    var lane = lanes.of(family.userId());
    return redis
        .run(
            ROTATE,
            List.of(family(lane, presented), answer(lane, presented), events(lane)),
            List.of(
                presented.hash(),
                client,
                next.hash(),
                sealed,
                Long.toString(settings.repeatWithin().toMillis()),
                Long.toString(settings.lifetime().toMillis()),
                family.userId(),
                origin.json(),
                Integer.toString(audit.backlog())))
        .map(
            reply ->
                new Rotation(
                    Rotation.Answer.valueOf(reply.get(0).toString()),
                    reply.size() > 1 ? reply.get(1).toString() : ""));
  }

  /** Ends a family; false if the token does not prove that the caller may. */
  Uni<Boolean> end(Family family, RefreshToken presented, Origin origin) {
    var lane = lanes.of(family.userId());
    return redis
        .run(
            END,
            List.of(family(lane, presented), answer(lane, presented), events(lane)),
            List.of(
                presented.hash(),
                family.userId(),
                origin.json(),
                Integer.toString(audit.backlog())))
        .map(answer -> Ended.valueOf(answer.toString()) == Ended.ENDED);
  }

  /** What {@code identity/begin.lua} may answer. */
  private enum Begun {
    BEGUN
  }

  /** What {@code identity/end.lua} may answer. */
  private enum Ended {
    ENDED,
    NOT_FOUND
  }

  private static Optional<Family> read(Response fields) {
    return fields.get(0) == null
        ? Optional.empty()
        : Optional.of(
            new Family(
                fields.get(0).toString(),
                fields.get(1).toString(),
                Long.parseLong(fields.get(2).toString()),
                fields.get(3).toString(),
                fields.get(4) != null));
  }

  private static String family(Lane lane, RefreshToken token) {
    return lane.key("identity", "family", token.family());
  }

  private static String answer(Lane lane, RefreshToken token) {
    return lane.key("identity", "answer", token.family());
  }

  private static String events(Lane lane) {
    return lane.key("audit", "events");
  }
}
