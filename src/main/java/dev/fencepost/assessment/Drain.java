package dev.fencepost.assessment;

import dev.fencepost.platform.lifecycle.StartUp;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Before the process ends: nothing new is taken up, what runs may end, and what does not end in
 * half the grace is handed over, its lease released and its agenda entry due at once.
 */
@ApplicationScoped
class Drain {

  private static final int EARLY = 100;

  private final Running running;
  private final Duration grace;

  Drain(
      Running running,
      @ConfigProperty(name = "fencepost.shutdown.grace", defaultValue = "20s") Duration grace) {
    this.running = running;
    this.grace = grace;
  }

  void stop(@Observes @Priority(EARLY) ShutdownEvent event) {
    StartUp.waitFor("the last tickets", running.drain(grace.dividedBy(2)));
  }
}
