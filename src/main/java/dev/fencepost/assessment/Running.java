package dev.fencepost.assessment;

import dev.fencepost.platform.lifecycle.InFlight;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tickets that run in this process, so that their number is bounded and they can be awaited.
 */
@ApplicationScoped
class Running {

  private final AssessAsset assessAsset;
  private final InFlight inFlight;
  private final AssessmentSettings settings;
  private final Map<String, Uni<Ticket>> here = new ConcurrentHashMap<>();

  Running(
      AssessAsset assessAsset,
      InFlight inFlight,
      AssessmentSettings settings,
      MeterRegistry metrics) {
    this.assessAsset = assessAsset;
    this.inFlight = inFlight;
    this.settings = settings;
    metrics.gaugeMapSize("fencepost.assessments.running", List.of(), here);
  }

  boolean hasRoom() {
    return here.size() < settings.maxConcurrent();
  }

  /** Runs a ticket in the background; its outcome stands in the ticket. */
  void start(Run run) {
    var ticketId = run.ticket().ticketId();
    var outcome =
        assessAsset
            .run(run)
            .onTermination()
            .invoke(() -> here.remove(ticketId))
            .memoize()
            .indefinitely();
    here.put(ticketId, outcome);
    inFlight.start("ticket " + ticketId, outcome);
  }

  /** The outcome of a ticket, if it runs here. */
  Optional<Uni<Ticket>> outcome(String ticketId) {
    return Optional.ofNullable(here.get(ticketId));
  }
}
