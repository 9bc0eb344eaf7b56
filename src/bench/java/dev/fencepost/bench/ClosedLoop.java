package dev.fencepost.bench;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A number of workers, each of which begins its next operation when its last has ended. */
final class ClosedLoop {

  /** An operation that hangs for this long hangs for ever. */
  private static final long PATIENCE_SECONDS = 60;

  private static final Duration ALL_OF_IT = Duration.ofMinutes(3);

  private final int inFlight;
  private final Duration duration;
  private final Operation operation;
  private final Vertx vertx;
  private final CountDownLatch running;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** One asynchronous thing to do, by a worker. */
  interface Operation {
    void begin(int worker, Runnable done, Consumer<Throwable> failed);

    static Operation of(IntFunction<Uni<?>> work) {
      return (worker, done, failed) ->
          work.apply(worker).subscribe().with(item -> done.run(), failed);
    }

    /** Of a client with threads of its own: it is not begun on ours, which it might block. */
    static Operation ofStage(IntFunction<CompletionStage<?>> work) {
      return new Operation() {
        @Override
        public void begin(int worker, Runnable done, Consumer<Throwable> failed) {
          work.apply(worker)
              .whenComplete(
                  (item, broken) -> {
                    if (broken == null) {
                      done.run();
                    } else {
                      failed.accept(broken);
                    }
                  });
        }

        @Override
        public boolean isForEventLoops() {
          return false;
        }
      };
    }

    default boolean isForEventLoops() {
      return true;
    }
  }

  private ClosedLoop(Vertx vertx, int inFlight, Duration duration, Operation operation) {
    this.vertx = vertx;
    this.inFlight = inFlight;
    this.duration = duration;
    this.operation = operation;
    this.running = new CountDownLatch(inFlight);
  }

  static Round run(Vertx vertx, int inFlight, Duration duration, Operation operation) {
    return new ClosedLoop(vertx, inFlight, duration, operation).run();
  }

  /** Does everything once, by so many workers at a time. */
  static void each(Vertx vertx, int inFlight, int count, IntFunction<Uni<?>> work) {
    var next = new AtomicInteger();
    var workers = Math.min(inFlight, count);
    var loop = new ClosedLoop(vertx, workers, ALL_OF_IT, (w, done, failed) -> {});
    for (var i = 0; i < workers; i++) {
      loop.context().runOnContext(now -> loop.nextOf(next, count, work));
    }
    loop.await();
  }

  private void nextOf(AtomicInteger next, int count, IntFunction<Uni<?>> work) {
    var mine = next.getAndIncrement();
    if (mine >= count || failure.get() != null) {
      running.countDown();
      return;
    }
    try {
      work.apply(mine).subscribe().with(item -> nextOf(next, count, work), this::fail);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private Round run() {
    var begin = System.nanoTime();
    var workers = new Worker[inFlight];
    for (var i = 0; i < inFlight; i++) {
      workers[i] = new Worker(i, begin + duration.toNanos());
      if (operation.isForEventLoops()) {
        context().runOnContext(workers[i]::next);
      } else {
        workers[i].next(operation);
      }
    }
    await();
    var seconds = (System.nanoTime() - begin) / 1e9;
    var latencies =
        Arrays.stream(workers)
            .flatMapToLong(worker -> Arrays.stream(worker.nanos, 0, worker.count))
            .sorted()
            .toArray();
    return new Round(
        latencies.length, seconds, quantile(latencies, 0.5), quantile(latencies, 0.99));
  }

  private Context context() {
    return ((VertxInternal) vertx).createEventLoopContext();
  }

  private void await() {
    try {
      if (!running.await(duration.toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            running.getCount() + " of " + inFlight + " workers hang", failure.get());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (failure.get() != null) {
      throw new IllegalStateException("an operation failed", failure.get());
    }
  }

  private void fail(Throwable broken) {
    failure.compareAndSet(null, broken);
    running.countDown();
  }

  private static double quantile(long[] sorted, double q) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, q * sorted.length)] / 1e6;
  }

  /** Touched by one thread at a time: whoever ends its operation begins the next. */
  private final class Worker {

    private final int number;
    private final long until;
    private long[] nanos = new long[4096];
    private int count;
    private long begun;

    Worker(int number, long until) {
      this.number = number;
      this.until = until;
    }

    private void next(Object ignored) {
      begun = System.nanoTime();
      if (begun >= until || failure.get() != null) {
        running.countDown();
        return;
      }
      try {
        operation.begin(number, this::done, ClosedLoop.this::fail);
      } catch (RuntimeException | Error e) {
        fail(e);
      }
    }

    private void done() {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = System.nanoTime() - begun;
      next(nanos);
    }
  }
}
