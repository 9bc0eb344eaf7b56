package dev.fencepost.kernel.fence;

import dev.fencepost.platform.lifecycle.StartUp;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Refuses to start on a Redis that would break the promise: one that was begun with another number
 * of lanes (every key would be looked for in the wrong place), or one that may evict facts.
 */
@ApplicationScoped
class LaneGate {

  private static final Logger LOG = Logger.getLogger(LaneGate.class);
  private static final String LANES_KEY = "fencepost:lanes";
  private static final int FIRST = 10;

  private final Lanes lanes;
  private final RedisRoad redis;

  LaneGate(Lanes lanes, RedisRoad redis) {
    this.lanes = lanes;
    this.redis = redis;
  }

  void check(@Observes @Priority(FIRST) StartupEvent start) {
    StartUp.waitFor(
        "Redis",
        lanesAreOurs()
            .flatMap(ours -> nothingIsEvicted())
            .onFailure(RedisUnavailable.class)
            .retry()
            .withBackOff(Duration.ofMillis(100), Duration.ofSeconds(1))
            .expireIn(StartUp.PATIENCE.toMillis()));
  }

  private Uni<Void> lanesAreOurs() {
    var ours = Integer.toString(lanes.count());
    return redis
        .send(Request.cmd(Command.SETNX).arg(LANES_KEY).arg(ours))
        .flatMap(set -> redis.send(Request.cmd(Command.GET).arg(LANES_KEY)))
        .invoke(
            recorded -> {
              if (!ours.equals(recorded.toString())) {
                throw new IllegalStateException(
                    "fencepost.lanes is %s, but this Redis was begun with %s"
                        .formatted(ours, recorded));
              }
            })
        .replaceWithVoid();
  }

  private Uni<Void> nothingIsEvicted() {
    return redis
        .send(Request.cmd(Command.INFO).arg("memory"))
        .flatMap(
            memory ->
                redis
                    .send(Request.cmd(Command.INFO).arg("persistence"))
                    .invoke(persistence -> judge(memory.toString(), persistence.toString())))
        .replaceWithVoid();
  }

  private static void judge(String memory, String persistence) {
    if (!memory.contains("maxmemory_policy:noeviction")) {
      throw new IllegalStateException("Redis may evict facts: set maxmemory-policy to noeviction");
    }
    if (!persistence.contains("aof_enabled:1")) {
      LOG.warn("Redis runs without AOF: facts since its last snapshot are lost if it stops");
    }
  }
}
