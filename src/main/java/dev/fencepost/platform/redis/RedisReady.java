package dev.fencepost.platform.redis;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready means: a script that writes runs on Redis. PostgreSQL is not needed for that. */
@Readiness
@ApplicationScoped
class RedisReady implements AsyncHealthCheck {

  private static final LuaScript READY = LuaScript.named("platform/ready");
  private static final String NAME = "redis";

  private final RedisRoad redis;

  RedisReady(RedisRoad redis) {
    this.redis = redis;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return redis
        .run(READY, List.of("fencepost:ready"), List.of())
        .map(ready -> HealthCheckResponse.named(NAME).up().withData("state", "available").build())
        .onFailure(RedisUnavailable.class)
        .recoverWithItem(RedisReady::down)
        .onFailure(ErrorType.class)
        .recoverWithItem(RedisReady::down);
  }

  private static HealthCheckResponse down(Throwable why) {
    return HealthCheckResponse.named(NAME)
        .down()
        .withData("state", "unavailable")
        .withData("reason", String.valueOf(why.getMessage()))
        .build();
  }
}
