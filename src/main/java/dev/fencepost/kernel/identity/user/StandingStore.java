package dev.fencepost.kernel.identity.user;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What replicas tell each other about users, in Redis. */
@ApplicationScoped
class StandingStore {

  private static final LuaScript PUBLISH = LuaScript.named("identity/publish");

  private final RedisRoad redis;
  private final Lanes lanes;
  private final StandingSettings settings;

  StandingStore(RedisRoad redis, Lanes lanes, StandingSettings settings) {
    this.redis = redis;
    this.lanes = lanes;
    this.settings = settings;
  }

  /** As last published; empty if Redis does not know the user. */
  Uni<Optional<Standing>> find(String userId) {
    return redis
        .send(
            Request.cmd(Command.HMGET)
                .arg(key(userId))
                .arg("version")
                .arg("tv")
                .arg("pv")
                .arg("permissions")
                .arg("revoked")
                .arg("gone")
                .arg("published_at"))
        .map(StandingStore::read);
  }

  /** Publishes it, unless something newer stands there already. */
  Uni<Void> publish(String userId, Standing standing) {
    return redis
        .run(
            PUBLISH,
            List.of(key(userId)),
            List.of(
                Long.toString(standing.version()),
                Long.toString(standing.tokenVersion()),
                Long.toString(standing.permissionVersion()),
                standing.permissions().stream().map(Permission::wire).collect(joining(" ")),
                String.join(" ", standing.revoked()),
                standing.gone() ? "1" : "0",
                Long.toString(settings.keep().toMillis())))
        .invoke(answer -> Published.valueOf(answer.toString()))
        .replaceWithVoid();
  }

  /** What {@code identity/publish.lua} may answer. */
  private enum Published {
    PUBLISHED,
    OLDER
  }

  private String key(String userId) {
    return lanes.of(userId).key("identity", "user", userId);
  }

  private static Optional<Standing> read(Response fields) {
    return fields.get(0) == null
        ? Optional.empty()
        : Optional.of(
            new Standing(
                number(fields.get(0)),
                number(fields.get(1)),
                number(fields.get(2)),
                words(fields.get(3).toString())
                    .flatMap(word -> Permission.parse(word).stream())
                    .collect(toUnmodifiableSet()),
                words(fields.get(4).toString()).collect(toUnmodifiableSet()),
                fields.get(5).toString().equals("1"),
                number(fields.get(6))));
  }

  private static long number(Response text) {
    return Long.parseLong(text.toString());
  }

  private static Stream<String> words(String text) {
    return Stream.of(text.split(" ")).filter(word -> !word.isEmpty());
  }
}
