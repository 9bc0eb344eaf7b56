package dev.fencepost.platform.lifecycle;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/** Runs what takes milliseconds of CPU on a worker thread, and comes back to the caller's loop. */
public final class OffTheLoop {

  private OffTheLoop() {}

  /** What the work gives, on the loop of whoever subscribes. */
  public static <T> Uni<T> compute(Supplier<T> work) {
    var caller = Vertx.currentContext();
    var result =
        Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    return caller == null
        ? result
        : result.emitOn(rest -> caller.runOnContext(ignored -> rest.run()));
  }
}
