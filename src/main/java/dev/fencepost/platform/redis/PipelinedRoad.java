package dev.fencepost.platform.redis;

import dev.fencepost.platform.time.Entropy;
import io.netty.channel.EventLoop;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One long-lived, pipelined connection per event loop. Checking connections out of a pool costs
 * five times the CPU per command and fails when its waiting queue is full.
 */
@ApplicationScoped
class PipelinedRoad implements RedisRoad {

  private static final int LAST = Integer.MAX_VALUE;

  private final VertxInternal vertx;
  private final Redis redis;
  private final RedisSettings settings;
  private final Entropy entropy;
  private final Refusals refusals;
  private final ConfirmedWrites confirmed;
  private final Map<EventLoop, Pipe> pipes = new ConcurrentHashMap<>();

  PipelinedRoad(
      Vertx vertx,
      io.vertx.mutiny.redis.client.Redis redis,
      RedisSettings settings,
      Entropy entropy,
      Refusals refusals) {
    this.vertx = (VertxInternal) vertx;
    this.redis = redis.getDelegate();
    this.settings = settings;
    this.entropy = entropy;
    this.refusals = refusals;
    this.confirmed =
        new ConfirmedWrites(
            vertx, this.redis, refusals, settings.waitReplicas(), settings.waitTimeout());
  }

  /** After everything that still has something to write: the client is about to close. */
  void close(@Observes @Priority(LAST) ShutdownEvent stop) {
    pipes.values().forEach(Pipe::close);
  }

  @Override
  public Uni<Response> send(Request request) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var caller = ContextInternal.current();
              pipeFor(caller).send(new Pending(request, emitter, caller));
            });
  }

  @Override
  public Uni<Response> run(LuaScript script, List<String> keys, List<String> args) {
    return this.send(request(Command.EVALSHA, script.sha1(), keys, args))
        .onFailure(PipelinedRoad::isForgotten)
        .recoverWithUni(() -> this.send(request(Command.EVAL, script.text(), keys, args)));
  }

  @Override
  public Uni<Response> runConfirmed(LuaScript script, List<String> keys, List<String> args) {
    return settings.waitReplicas() == 0
        ? this.run(script, keys, args)
        : confirmed.run(
            request(Command.EVALSHA, script.sha1(), keys, args),
            request(Command.EVAL, script.text(), keys, args));
  }

  private Pipe pipeFor(@Nullable ContextInternal caller) {
    var loop =
        caller != null && caller.isEventLoopContext()
            ? caller.nettyEventLoop()
            : vertx.getEventLoopGroup().next();
    return pipes.computeIfAbsent(loop, this::open);
  }

  private Pipe open(EventLoop loop) {
    var context =
        vertx.createEventLoopContext(loop, null, Thread.currentThread().getContextClassLoader());
    return new Pipe(context, redis, settings, entropy, refusals);
  }

  private static Request request(
      Command command, String script, List<String> keys, List<String> args) {
    var request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    args.forEach(request::arg);
    return request;
  }

  static boolean isForgotten(Throwable failure) {
    return failure instanceof ErrorType error && error.is("NOSCRIPT");
  }
}
