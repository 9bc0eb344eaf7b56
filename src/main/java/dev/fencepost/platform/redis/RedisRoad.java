package dev.fencepost.platform.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;

/** The only road to Redis. Tests stand in this road to lose requests and replies. */
public interface RedisRoad {

  /**
   * Sends one command.
   *
   * @return its reply, a null item for nil; fails with {@link RedisUnavailable} if there is none
   */
  Uni<Response> send(Request request);

  /**
   * Runs a script by digest, and sends its text when this Redis has not heard of it.
   *
   * @return its reply; fails with {@link RedisUnavailable} if there is none
   */
  Uni<Response> run(LuaScript script, List<String> keys, List<String> args);

  /**
   * Runs a script like {@link #run}, and waits until as many replicas as configured have its
   * writes: for facts on which something outside depends that cannot be taken back.
   *
   * @return its reply; fails with {@link RedisUnavailable} if too few confirm in time, though the
   *     write stands on the Redis that took it
   */
  Uni<Response> runConfirmed(LuaScript script, List<String> keys, List<String> args);
}
