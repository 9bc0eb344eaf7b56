package dev.fencepost.platform.lifecycle;

import dev.fencepost.platform.telemetry.LogFacts;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Work that outlives the request or tick that began it. The only place that subscribes by hand, so
 * that nothing runs unseen: failures are logged, and what runs is counted.
 */
@ApplicationScoped
public class InFlight {

  private static final Logger LOG = Logger.getLogger(InFlight.class);

  private final AtomicInteger running = new AtomicInteger();

  /**
   * Starts work and lets go of it.
   *
   * @param what names the work in the log, should it fail
   */
  public void start(String what, Uni<?> work) {
    start(what, () -> LogFacts.NONE, work);
  }

  /**
   * The same for work of which more is known.
   *
   * @param facts what that line in the log carries
   */
  public void start(String what, Supplier<LogFacts> facts, Uni<?> work) {
    running.incrementAndGet();
    work.onTermination()
        .invoke(running::decrementAndGet)
        .subscribe()
        .with(done -> {}, failure -> log(what, facts, failure));
  }

  /** What was foreseen carries no stack trace, and needs none in the log. */
  private static void log(String what, Supplier<LogFacts> facts, Throwable failure) {
    if (failure.getStackTrace().length == 0) {
      LogFacts.log(LOG, Level.WARN, facts, "%s was cut short: %s", what, failure.getMessage());
    } else {
      LogFacts.log(LOG, Level.ERROR, facts, failure, "%s failed", what);
    }
  }

  /** How many pieces of work are running now. */
  public int running() {
    return running.get();
  }
}
