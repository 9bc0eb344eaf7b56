package dev.fencepost.yardstick;

import io.netty.channel.EventLoop;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fastest road to Redis that fits on a page: one pipelined connection per event loop. No
 * reconnecting, no bound, no time limit.
 */
@ApplicationScoped
class BareRedis {

  private final Redis redis;
  private final Map<EventLoop, Future<RedisConnection>> connections = new ConcurrentHashMap<>();

  BareRedis(io.vertx.mutiny.redis.client.Redis redis) {
    this.redis = redis.getDelegate();
  }

  /** For callers on an event loop; they hear the reply on the same one. */
  Uni<Response> send(Request request) {
    return Uni.createFrom()
        .emitter(
            emitter ->
                connections
                    .computeIfAbsent(
                        ContextInternal.current().nettyEventLoop(), loop -> redis.connect())
                    .compose(connection -> connection.send(request))
                    .onComplete(emitter::complete, emitter::fail));
  }
}
