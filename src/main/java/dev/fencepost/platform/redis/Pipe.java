package dev.fencepost.platform.redis;

import dev.fencepost.platform.time.Entropy;
import io.vertx.core.AsyncResult;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One connection and what is in flight on it. Everything below {@link #send} happens on one event
 * loop, so nothing here is locked.
 */
final class Pipe {

  private static final Logger LOG = Logger.getLogger(Pipe.class);

  /** How often the oldest command in flight is looked at: a tenth of the usual time limit. */
  private static final int WATCHES_PER_TIMEOUT = 10;

  /** After this many failed connects in a row, callers are told at once instead of queued. */
  private static final int FAILURES_UNTIL_FAIL_FAST = 2;

  private static final int LARGEST_DOUBLING = 16;

  private final ContextInternal loop;
  private final Redis redis;
  private final RedisSettings settings;
  private final Entropy entropy;
  private final Refusals refusals;
  private final Queue<Pending> waiting = new ArrayDeque<>();
  private final ArrayDeque<Pending> inFlight = new ArrayDeque<>();
  private @Nullable RedisConnection connection;
  private boolean connecting;
  private boolean watching;
  private volatile boolean closed;
  private int failures;

  Pipe(
      ContextInternal loop,
      Redis redis,
      RedisSettings settings,
      Entropy entropy,
      Refusals refusals) {
    this.loop = loop;
    this.redis = redis;
    this.settings = settings;
    this.entropy = entropy;
    this.refusals = refusals;
  }

  void send(Pending command) {
    if (loop.inThread()) {
      loop.emit(command, this::admit);
    } else {
      loop.runOnContext(now -> admit(command));
    }
  }

  /** From here on, nothing is connected any more; what comes is told so. */
  void close() {
    closed = true;
  }

  private void admit(Pending command) {
    var crowd = waiting.size() + inFlight.size();
    if (crowd >= settings.maxInFlight()) {
      command.fail(RedisUnavailable.full(crowd));
      return;
    }
    command.expireAt(entropy.nanoTime() + settings.timeout().toNanos());
    if (connection != null) {
      write(connection, command);
    } else if (closed || failures >= FAILURES_UNTIL_FAIL_FAST) {
      command.fail(RedisUnavailable.noAnswer("not connected"));
    } else {
      waiting.add(command);
    }
    if (connection == null) {
      connect();
    }
    watch();
  }

  private void write(RedisConnection to, Pending command) {
    inFlight.add(command);
    to.send(command.request).onComplete(reply -> settle(to, command, reply));
  }

  private void settle(RedisConnection from, Pending command, AsyncResult<Response> reply) {
    removeFromFlight(command);
    if (reply.succeeded()) {
      command.answer(reply.result());
    } else if (reply.cause() instanceof ErrorType error && !Refusals.isEnd(error)) {
      settleError(from, command, error);
    } else {
      command.fail(RedisUnavailable.noAnswer("the connection broke"));
      drop(from, "broken");
    }
  }

  private void settleError(RedisConnection from, Pending command, ErrorType error) {
    if (!Refusals.isForAnother(error)) {
      command.fail(refusals.judge(error));
      return;
    }
    drop(from, error.getMessage());
    waiting.add(command);
    connect();
  }

  private void removeFromFlight(Pending command) {
    if (inFlight.peekFirst() == command) {
      inFlight.removeFirst();
    } else {
      inFlight.remove(command);
    }
  }

  private void connect() {
    if (connecting || closed) {
      return;
    }
    connecting = true;
    if (failures == 0) {
      dial();
    } else {
      loop.setTimer(pauseMillis(), timer -> dial());
    }
  }

  private void dial() {
    redis.connect().onComplete(loop.promise(this::dialled));
  }

  /** With its cause: of a failed handshake, only that says what is wrong. */
  private static String reason(Throwable failure) {
    var cause = failure.getCause();
    return cause == null
        ? String.valueOf(failure.getMessage())
        : failure.getMessage() + ": " + cause.getMessage();
  }

  private void dialled(AsyncResult<RedisConnection> result) {
    connecting = false;
    if (result.failed()) {
      failures++;
      LOG.warnf("redis: no connection (attempt %d): %s", failures, reason(result.cause()));
      if (failures >= FAILURES_UNTIL_FAIL_FAST) {
        failAll(waiting, "not connected");
      }
      connect();
      return;
    }
    if (failures > 0) {
      LOG.infof("redis: connected again after %d failed attempts", failures);
    }
    failures = 0;
    var fresh = result.result();
    connection = fresh;
    fresh.exceptionHandler(broken -> drop(fresh, broken.getMessage()));
    fresh.endHandler(end -> drop(fresh, "closed by the server"));
    for (var next = waiting.poll(); next != null; next = waiting.poll()) {
      if (!next.isSettled()) {
        write(fresh, next);
      }
    }
  }

  /** Gives a connection up, once; what was in flight on it has no answer and never will. */
  private void drop(RedisConnection broken, @Nullable String why) {
    if (connection != broken || closed) {
      return;
    }
    LOG.warnf("redis: connection given up: %s", why);
    connection = null;
    failures = Math.max(failures, 1);
    failAll(inFlight, "the connection was lost");
    broken.close();
    connect();
  }

  private void watch() {
    if (watching) {
      return;
    }
    watching = true;
    loop.setTimer(
        Math.max(1, settings.timeout().toMillis() / WATCHES_PER_TIMEOUT), timer -> lookAround());
  }

  private void lookAround() {
    watching = false;
    var now = entropy.nanoTime();
    for (var next = waiting.peek(); next != null && next.isExpired(now); next = waiting.peek()) {
      waiting.remove().fail(RedisUnavailable.noAnswer("not connected in time"));
    }
    var oldest = inFlight.peekFirst();
    if (oldest != null && oldest.isExpired(now) && connection != null) {
      drop(connection, "no answer within " + settings.timeout().toMillis() + " ms");
    }
    if (!waiting.isEmpty() || !inFlight.isEmpty()) {
      watch();
    }
  }

  private static void failAll(Queue<Pending> commands, String why) {
    for (var next = commands.poll(); next != null; next = commands.poll()) {
      next.fail(RedisUnavailable.noAnswer(why));
    }
  }

  private long pauseMillis() {
    var doubled = settings.reconnectAfter().toMillis() << Math.min(failures - 1, LARGEST_DOUBLING);
    var ceiling = Math.min(doubled, settings.maxReconnectAfter().toMillis());
    return Math.max(1, (long) (ceiling * entropy.fraction()));
  }
}
