package dev.fencepost.platform.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** On a Redis without replicas: nobody confirms. */
@QuarkusTest
class ConfirmedWritesTest {

  @Inject Vertx vertx;
  @Inject io.vertx.mutiny.redis.client.Redis client;
  @Inject RedisRoad road;
  @Inject Refusals refusals;

  private final String key = "confirmed:" + UUID.randomUUID();

  @Test
  void a_write_that_no_replica_confirms_fails_though_it_stands() {
    assertThatThrownBy(() -> write(1))
        .isInstanceOf(RedisUnavailable.class)
        .hasMessage("confirmed by 0 of 1 replicas");
    assertThat(await(road.send(Request.cmd(Command.GET).arg(key))).toString()).isEqualTo("1");
  }

  @Test
  void a_write_that_need_not_be_confirmed_is_answered() {
    assertThat(write(0).toString()).isEqualTo("READY");
  }

  private Response write(int replicas) {
    var script =
        new LuaScript("test", "redis.call('SET', KEYS[1], '1') return 'READY'", "0".repeat(40));
    var confirmed =
        new ConfirmedWrites(vertx, client.getDelegate(), refusals, replicas, Duration.ofMillis(50));
    return await(
        confirmed.run(
            Request.cmd(Command.EVALSHA).arg(script.sha1()).arg(1).arg(key),
            Request.cmd(Command.EVAL).arg(script.text()).arg(1).arg(key)));
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(5));
  }
}
