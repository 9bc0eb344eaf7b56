package dev.fencepost.platform.mqtt;

import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Whose turn it is to have the connection: the broker keeps one session for all replicas, and two
 * under the same name would throw each other out. No fence: two holders for a moment cost repeats.
 */
@ApplicationScoped
class MqttTurn {

  private static final LuaScript TAKE = LuaScript.named("platform/turn");
  private static final List<String> KEY = List.of("fencepost:mqtt-turn");
  private static final int RENEWALS = 3;

  private final RedisRoad redis;
  private final Entropy entropy;
  private final String name;
  private final long turnMillis;
  private volatile boolean ours;
  private volatile long askAgainAt;

  MqttTurn(RedisRoad redis, Entropy entropy, MqttSettings settings) {
    this.redis = redis;
    this.entropy = entropy;
    this.name = entropy.freshId();
    this.turnMillis = settings.turn().toMillis();
    this.askAgainAt = entropy.nanoTime();
  }

  /** Whether it is ours; asks Redis a few times a turn. Without Redis it stays whose it was. */
  Uni<Boolean> isOurs() {
    if (entropy.nanoTime() < askAgainAt) {
      return Uni.createFrom().item(ours);
    }
    askAgainAt = entropy.nanoTime() + turnMillis * 1_000_000 / RENEWALS;
    return redis
        .run(TAKE, KEY, List.of(name, Long.toString(turnMillis)))
        .map(answer -> Turn.valueOf(answer.toString()) == Turn.OURS)
        .onFailure(RedisUnavailable.class)
        .recoverWithItem(() -> ours)
        .invoke(taken -> ours = taken);
  }

  /** What {@code platform/turn.lua} may answer. */
  private enum Turn {
    OURS,
    ANOTHERS
  }

  /** Lets another have it at once. */
  Uni<Void> giveUp() {
    var was = ours;
    ours = false;
    askAgainAt = Long.MAX_VALUE;
    return was
        ? redis.run(TAKE, KEY, List.of(name, "0")).replaceWithVoid()
        : Uni.createFrom().voidItem();
  }
}
