package dev.fencepost.platform.lifecycle;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs what takes milliseconds on another thread, and comes back to the caller's loop. */
public final class OffTheLoop {

  private static final int IDLE_SECONDS = 30;

  /** As many as processors: more would be no faster, and take the processors from the loops. */
  private static final Executor COMPUTING = threads(Runtime.getRuntime().availableProcessors());

  private OffTheLoop() {}

  /** What some work gives that needs a processor, on the loop of whoever subscribes. */
  public static <T> Uni<T> compute(Supplier<T> work) {
    return run(work, COMPUTING);
  }

  /** What some work gives that waits for a disk, on the loop of whoever subscribes. */
  public static <T> Uni<T> block(Supplier<T> work) {
    return run(work, Infrastructure.getDefaultWorkerPool());
  }

  private static <T> Uni<T> run(Supplier<T> work, Executor threads) {
    var caller = Vertx.currentContext();
    var result = Uni.createFrom().item(work).runSubscriptionOn(threads);
    return caller == null
        ? result
        : result.emitOn(rest -> caller.runOnContext(ignored -> rest.run()));
  }

  private static Executor threads(int count) {
    var threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            OffTheLoop::daemon);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "fencepost-compute");
    thread.setDaemon(true);
    return thread;
  }
}
