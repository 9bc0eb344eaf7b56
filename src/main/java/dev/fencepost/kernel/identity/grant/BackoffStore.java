package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** Tries to log in, per account and per address: those that are judged, and those that failed. */
@ApplicationScoped
class BackoffStore {

  private static final LuaScript TRY = LuaScript.named("identity/try");
  private static final LuaScript SETTLE = LuaScript.named("identity/settle");

  /**
   * How much longer than a try may be judged it is remembered: the way to Redis and back takes time
   * as well, and a try that is forgotten too early would be one more.
   */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final RedisRoad redis;
  private final Lanes lanes;
  private final BackoffSettings settings;

  BackoffStore(RedisRoad redis, Lanes lanes, BackoffSettings settings) {
    this.redis = redis;
    this.lanes = lanes;
    this.settings = settings;
  }

  /** Whose tries are counted, and how many may fail at no cost. */
  private record Counter(List<String> keys, int free) {}

  /** Takes a try of both, or of none. Whoever got one settles it. */
  Uni<Turn> take(String account, String address) {
    return take(ofAccount(account))
        .flatMap(turn -> turn.isTaken() ? takeAlso(account, address) : Uni.createFrom().item(turn));
  }

  private Uni<Turn> takeAlso(String account, String address) {
    return take(ofAddress(address))
        .call(
            turn ->
                turn.isTaken()
                    ? Uni.createFrom().voidItem()
                    : settle(ofAccount(account), Outcome.UNDECIDED));
  }

  /**
   * Says what came of a try. With its owner's visit an account forgets its failures; an address
   * keeps them: they may be somebody else's.
   */
  Uni<Void> settle(String account, String address, Outcome outcome) {
    return settle(ofAccount(account), outcome)
        .flatMap(done -> settle(ofAddress(address), outcome.right() ? Outcome.UNDECIDED : outcome));
  }

  private Uni<Turn> take(Counter counter) {
    return redis
        .run(
            TRY,
            counter.keys,
            List.of(
                Integer.toString(counter.free),
                Long.toString(settings.judgedWithin().plus(MARGIN).toMillis())))
        .map(BackoffStore::turn);
  }

  private static Turn turn(Response reply) {
    return new Turn(
        Turn.Answer.valueOf(reply.get(0).toString()),
        Duration.ofMillis(reply.size() > 1 ? reply.get(1).toLong() : 0));
  }

  private Uni<Void> settle(Counter counter, Outcome outcome) {
    return redis
        .run(
            SETTLE,
            counter.keys,
            List.of(
                Integer.toString(outcome.wrong()),
                outcome.right() ? "1" : "0",
                Integer.toString(counter.free),
                Long.toString(settings.first().toMillis()),
                Long.toString(settings.longest().toMillis()),
                Long.toString(settings.forgetAfter().toMillis())))
        .invoke(answer -> Settled.valueOf(answer.toString()))
        .replaceWithVoid();
  }

  /** What {@code identity/settle.lua} may answer. */
  private enum Settled {
    SETTLED,
    LOCKED
  }

  private Counter ofAccount(String account) {
    return counter("account", account, settings.freePerAccount());
  }

  private Counter ofAddress(String address) {
    return counter("address", address, settings.freePerAddress());
  }

  private Counter counter(String kind, String name, int free) {
    var lane = lanes.of(name);
    var whose = kind + ":" + name;
    return new Counter(
        List.of(
            lane.key("identity", "failures", whose),
            lane.key("identity", "locked", whose),
            lane.key("identity", "trying", whose)),
        free);
  }
}
