package dev.fencepost.platform.lifecycle;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Wakes work more often than once a second, which is as fine as the scheduler goes. A tick whose
 * predecessor still runs is skipped.
 */
@ApplicationScoped
public class Ticker {

  private final Vertx vertx;
  private final InFlight inFlight;
  private final List<Long> timers = new CopyOnWriteArrayList<>();

  Ticker(Vertx vertx, InFlight inFlight) {
    this.vertx = vertx;
    this.inFlight = inFlight;
  }

  /** Runs work at every tick, one run at a time, until the process ends. */
  public void every(Duration period, String what, Supplier<Uni<Void>> work) {
    var busy = new AtomicBoolean();
    timers.add(
        vertx.setPeriodic(
            Math.max(1, period.toMillis()),
            tick -> {
              if (busy.compareAndSet(false, true)) {
                inFlight.start(
                    what,
                    Uni.createFrom()
                        .deferred(() -> work.get())
                        .onTermination()
                        .invoke(() -> busy.set(false)));
              }
            }));
  }

  @PreDestroy
  void stop() {
    timers.forEach(vertx::cancelTimer);
  }
}
