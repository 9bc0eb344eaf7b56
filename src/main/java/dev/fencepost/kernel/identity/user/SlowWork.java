package dev.fencepost.kernel.identity.user;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs what costs a login its milliseconds, hashes and signatures, on a few threads with a bounded
 * queue: a flood of logins slows down logins, and nothing else.
 */
@ApplicationScoped
public class SlowWork {

  private static final int IDLE_SECONDS = 30;

  private final ThreadPoolExecutor threads;

  SlowWork(PasswordSettings settings) {
    threads =
        new ThreadPoolExecutor(
            settings.threads(),
            settings.threads(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(settings.maxWaiting()),
            SlowWork::daemon);
    threads.allowCoreThreadTimeOut(true);
  }

  /** Computes something there, and comes back to the caller's event loop. */
  public <T> Uni<T> compute(Supplier<T> work) {
    var caller = Vertx.currentContext();
    var result =
        Uni.createFrom()
            .item(work)
            .runSubscriptionOn(threads)
            .onFailure(RejectedExecutionException.class)
            .transform(
                full -> new Refused(ProblemType.OVERLOADED, "too many logins are in progress"));
    return caller == null
        ? result
        : result.emitOn(rest -> caller.runOnContext(ignored -> rest.run()));
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "fencepost-login");
    thread.setDaemon(true);
    return thread;
  }

  @PreDestroy
  void close() {
    threads.shutdownNow();
  }
}
