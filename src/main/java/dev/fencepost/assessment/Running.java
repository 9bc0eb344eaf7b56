package dev.fencepost.assessment;

import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.lifecycle.Intake;
import dev.fencepost.platform.telemetry.LogFacts;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * The tickets that run in this process, so that their number is bounded and they can be awaited.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class Running {

  private static final Logger LOG = Logger.getLogger(Running.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final AssessAsset assessAsset;
  private final InFlight inFlight;
  private final AssessmentSettings settings;
  private final LeaseKeeper keeper;
  private final Intake intake;
  private final Map<String, Uni<Ticket>> here = new ConcurrentHashMap<>();

  Running(
      AssessAsset assessAsset,
      InFlight inFlight,
      AssessmentSettings settings,
      LeaseKeeper keeper,
      Intake intake,
      MeterRegistry metrics) {
    this.assessAsset = assessAsset;
    this.inFlight = inFlight;
    this.settings = settings;
    this.keeper = keeper;
    this.intake = intake;
    metrics.gaugeMapSize("fencepost.assessments.running", List.of(), here);
    metrics.gauge(
        "fencepost.assessments.running.limit", settings, AssessmentSettings::maxConcurrent);
  }

  boolean hasRoom() {
    return intake.isOpen() && here.size() < settings.maxConcurrent();
  }

  /** Runs a ticket in the background; its outcome stands in the ticket. */
  void start(Run run) {
    var ticketId = run.ticket().ticketId();
    var outcome =
        assessAsset
            .run(run)
            .invoke(ticket -> log(run, ticket))
            .onTermination()
            .invoke(() -> here.remove(ticketId))
            .memoize()
            .indefinitely();
    here.put(ticketId, outcome);
    inFlight.start("ticket " + ticketId, run::facts, outcome);
  }

  private static void log(Run run, Ticket ticket) {
    LogFacts.log(
        LOG,
        ticket.status() == TicketStatus.FAILED ? Level.WARN : Level.DEBUG,
        run::facts,
        "ticket %s of %s: %s after attempt %d",
        ticket.ticketId(),
        ticket.assetId(),
        ticket.status(),
        ticket.progress().attempts());
  }

  /** The outcome of a ticket, if it runs here. */
  Optional<Uni<Ticket>> outcome(String ticketId) {
    return Optional.ofNullable(here.get(ticketId));
  }

  /**
   * Lets what runs end, and hands over what has not ended in time.
   *
   * @param patience for ending; the handing over takes one round trip more
   */
  Uni<Void> drain(Duration patience) {
    return untilEmpty()
        .ifNoItem()
        .after(patience)
        .recoverWithUni(
            () -> {
              keeper.handOverAll();
              return untilEmpty();
            });
  }

  private Uni<Void> untilEmpty() {
    return Multi.createBy()
        .repeating()
        .supplier(here::isEmpty)
        .withDelay(LOOK_EVERY)
        .whilst(empty -> !empty)
        .collect()
        .last()
        .replaceWithVoid();
  }
}
