package dev.fencepost.assessment;

import dev.fencepost.kernel.agenda.Agenda;
import dev.fencepost.kernel.agenda.Sweep;
import dev.fencepost.kernel.agenda.Sweeps;
import dev.fencepost.kernel.fence.Lane;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Picks up tickets whose holder died, whose retry is due, or that were too much when they came.
 * Safe on every replica at once: the lease decides, not the schedule.
 */
@ApplicationScoped
class AgendaSweep {

  /** How many due tickets of one lane are taken up in one tick. */
  private static final int BATCH = 16;

  private final Agenda agenda;
  private final TicketStore tickets;
  private final Running running;
  private final Sweep sweep;
  private final MeterRegistry metrics;

  AgendaSweep(
      Agenda agenda, TicketStore tickets, Running running, Sweeps sweeps, MeterRegistry metrics) {
    this.agenda = agenda;
    this.tickets = tickets;
    this.running = running;
    this.sweep = sweeps.named("sweep of tickets", "fencepost.tickets.unreadable");
    this.metrics = metrics;
    // Seen at 0 from the start: an alert on an increase would miss a counter's first value.
    metrics.counter("fencepost.tickets.resumed");
  }

  @Scheduled(
      every = "${fencepost.agenda.sweep-every:1s}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> sweep() {
    return sweep.lanes(this::sweepLane).replaceWithVoid();
  }

  private Uni<Void> sweepLane(Lane lane) {
    return agenda
        .due(TicketKeys.agenda(lane), BATCH)
        .flatMap(
            due ->
                sweep.each(
                    due, entry -> TicketKeys.facts(lane, entry), entry -> takeUp(lane, entry)));
  }

  private Uni<Void> takeUp(Lane lane, String entry) {
    return running.hasRoom()
        ? tickets.acquire(lane, entry).invoke(run -> run.ifPresent(this::resume)).replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  private void resume(Run run) {
    metrics.counter("fencepost.tickets.resumed").increment();
    running.start(run);
  }
}
