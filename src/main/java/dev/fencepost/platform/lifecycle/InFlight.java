package dev.fencepost.platform.lifecycle;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

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
    running.incrementAndGet();
    work.onTermination()
        .invoke(running::decrementAndGet)
        .subscribe()
        .with(done -> {}, failure -> log(what, failure));
  }

  /** What was foreseen carries no stack trace, and needs none in the log. */
  private static void log(String what, Throwable failure) {
    if (failure.getStackTrace().length == 0) {
      LOG.warnf("%s was cut short: %s", what, failure.getMessage());
    } else {
      LOG.errorf(failure, "%s failed", what);
    }
  }

  /** How many pieces of work are running now. */
  public int running() {
    return running.get();
  }
}
