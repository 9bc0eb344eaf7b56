package dev.fencepost.platform.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;

/**
 * Writes that replicas must have before anyone acts on them. {@code WAIT} counts only the writes of
 * its own connection and blocks it, so each such write has a connection to itself.
 */
final class ConfirmedWrites {

  private final Vertx vertx;
  private final Redis redis;
  private final Refusals refusals;
  private final int replicas;
  private final Duration timeout;

  ConfirmedWrites(Vertx vertx, Redis redis, Refusals refusals, int replicas, Duration timeout) {
    this.vertx = vertx;
    this.redis = redis;
    this.refusals = refusals;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  /**
   * Runs a script, and waits for its confirmation.
   *
   * @param byText the same script by its text, for a Redis that has forgotten it
   */
  Uni<Response> run(Request byDigest, Request byText) {
    return Uni.createFrom()
        .emitter(
            emitter ->
                // From connect to close on one event loop: else a fast answer could be missed.
                vertx
                    .getOrCreateContext()
                    .runOnContext(
                        now ->
                            redis
                                .connect()
                                .compose(connection -> write(connection, byDigest, byText))
                                .onSuccess(emitter::complete)
                                .onFailure(failure -> emitter.fail(typed(failure)))));
  }

  private Future<Response> write(RedisConnection connection, Request byDigest, Request byText) {
    return connection
        .send(byDigest)
        .recover(
            failure ->
                PipelinedRoad.isForgotten(failure)
                    ? connection.send(byText)
                    : Future.failedFuture(failure))
        .compose(reply -> confirm(connection).map(reply))
        .eventually(() -> connection.close());
  }

  private Future<Void> confirm(RedisConnection connection) {
    return connection
        .send(Request.cmd(Command.WAIT).arg(replicas).arg(timeout.toMillis()))
        .compose(
            confirmed ->
                Integer.parseInt(confirmed.toString()) >= replicas
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        RedisUnavailable.noAnswer(
                            "confirmed by %s of %d replicas".formatted(confirmed, replicas))));
  }

  private Throwable typed(Throwable failure) {
    if (failure instanceof RedisUnavailable) {
      return failure;
    }
    return failure instanceof ErrorType error
            && !Refusals.isEnd(error)
            && !Refusals.isForAnother(error)
        ? refusals.judge(error)
        : RedisUnavailable.noAnswer(String.valueOf(failure.getMessage()));
  }
}
