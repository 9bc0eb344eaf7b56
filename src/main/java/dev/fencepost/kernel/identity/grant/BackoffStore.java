package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** Failed logins, counted per account and per address. */
@ApplicationScoped
class BackoffStore {

  private static final LuaScript FAIL = LuaScript.named("identity/fail");

  private final RedisRoad redis;
  private final Lanes lanes;
  private final BackoffSettings settings;

  BackoffStore(RedisRoad redis, Lanes lanes, BackoffSettings settings) {
    this.redis = redis;
    this.lanes = lanes;
    this.settings = settings;
  }

  /** How long the next login of this account or address has to wait; zero if it has not. */
  Uni<Duration> wait(String account, String address) {
    return left("account", account)
        .flatMap(one -> left("address", address).map(other -> one > other ? one : other))
        .map(Duration::ofMillis);
  }

  /** Counts a failure against both. */
  Uni<Void> failed(String account, String address) {
    return fail("account", account, settings.freePerAccount())
        .flatMap(done -> fail("address", address, settings.freePerAddress()));
  }

  /** The account's owner was here. The address keeps its failures: they may be somebody else's. */
  Uni<Void> succeeded(String account) {
    return redis.send(Request.cmd(Command.DEL).arg(failures("account", account))).replaceWithVoid();
  }

  private Uni<Long> left(String kind, String name) {
    return redis
        .send(Request.cmd(Command.PTTL).arg(locked(kind, name)))
        .map(left -> Math.max(0, Long.parseLong(left.toString())));
  }

  private Uni<Void> fail(String kind, String name, int free) {
    return redis
        .run(
            FAIL,
            List.of(failures(kind, name), locked(kind, name)),
            List.of(
                Integer.toString(free),
                Long.toString(settings.first().toMillis()),
                Long.toString(settings.longest().toMillis()),
                Long.toString(settings.forgetAfter().toMillis())))
        .invoke(answer -> Counted.valueOf(answer.toString()))
        .replaceWithVoid();
  }

  /** What {@code identity/fail.lua} may answer. */
  private enum Counted {
    COUNTED,
    LOCKED
  }

  private String failures(String kind, String name) {
    return lanes.of(name).key("identity", "failures", kind + ":" + name);
  }

  private String locked(String kind, String name) {
    return lanes.of(name).key("identity", "locked", kind + ":" + name);
  }
}
