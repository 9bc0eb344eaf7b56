package dev.fencepost.platform.lifecycle;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import java.time.Duration;

/**
 * The one place that waits: before traffic is taken, on the starting thread, for what the service
 * cannot do without.
 */
public final class StartUp {

  /** How long a store may take to appear; after that the process gives up and is restarted. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private StartUp() {}

  /**
   * Waits for something.
   *
   * @throws IllegalStateException if it does not come in time
   */
  public static void waitFor(String what, Uni<Void> uni) {
    try {
      uni.await().atMost(PATIENCE.plusSeconds(1));
    } catch (TimeoutException e) {
      throw new IllegalStateException(what + " did not answer within " + PATIENCE, e);
    }
  }
}
