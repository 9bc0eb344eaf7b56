package dev.fencepost.assessment;

import dev.fencepost.kernel.agenda.Agenda;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/**
 * Picks up tickets whose holder died, whose retry is due, or that were too much when they came.
 * Safe on every replica at once: the lease decides, not the schedule.
 */
@ApplicationScoped
class AgendaSweep {

  private static final Logger LOG = Logger.getLogger(AgendaSweep.class);

  /** How many due tickets of one lane are taken up in one tick. */
  private static final int BATCH = 16;

  /** How many lanes are looked at together. */
  private static final int LANES_AT_ONCE = 16;

  private final Agenda agenda;
  private final Lanes lanes;
  private final TicketStore tickets;
  private final Running running;
  private final Entropy entropy;
  private final MeterRegistry metrics;

  AgendaSweep(
      Agenda agenda,
      Lanes lanes,
      TicketStore tickets,
      Running running,
      Entropy entropy,
      MeterRegistry metrics) {
    this.agenda = agenda;
    this.lanes = lanes;
    this.tickets = tickets;
    this.running = running;
    this.entropy = entropy;
    this.metrics = metrics;
    // Seen at 0 from the start: an alert on an increase would miss a counter's first value.
    metrics.counter("fencepost.tickets.resumed");
    metrics.counter("fencepost.tickets.unreadable");
    metrics.counter("fencepost.sweeps.cut.short");
  }

  @Scheduled(
      every = "${fencepost.agenda.sweep-every:1s}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> sweep() {
    var start = (int) (entropy.fraction() * lanes.count());
    return Multi.createFrom()
        .iterable(lanes.allFrom(start))
        .onItem()
        .transformToUni(this::sweepLane)
        .merge(LANES_AT_ONCE)
        .collect()
        .last()
        .replaceWithVoid()
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(this::nextTime);
  }

  private Uni<Void> sweepLane(Lane lane) {
    return agenda
        .due(TicketKeys.agenda(lane), BATCH)
        .flatMap(
            due ->
                Multi.createFrom()
                    .iterable(due)
                    .onItem()
                    .transformToUniAndConcatenate(entry -> takeUp(lane, entry))
                    .collect()
                    .last())
        .replaceWithVoid();
  }

  private Uni<Void> takeUp(Lane lane, String entry) {
    return running.hasRoom()
        ? tickets
            .acquire(lane, entry)
            .invoke(run -> run.ifPresent(this::resume))
            .replaceWithVoid()
            .onFailure(AgendaSweep::isTheTickets)
            .recoverWithUni(broken -> leave(entry, broken))
        : Uni.createFrom().voidItem();
  }

  private void resume(Run run) {
    metrics.counter("fencepost.tickets.resumed").increment();
    running.start(run);
  }

  /** Only an absent Redis ends a sweep; whatever else goes wrong is wrong with this one ticket. */
  private static boolean isTheTickets(Throwable failure) {
    return !(failure instanceof RedisUnavailable);
  }

  /** One bad ticket never stops the others; its lease runs out and it is seen again. */
  private Uni<Void> leave(String entry, Throwable broken) {
    LOG.errorf(broken, "ticket %s cannot be taken up", entry);
    metrics.counter("fencepost.tickets.unreadable").increment();
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> nextTime(Throwable away) {
    LOG.warnf("sweep cut short: %s", away.getMessage());
    metrics.counter("fencepost.sweeps.cut.short").increment();
    return Uni.createFrom().voidItem();
  }
}
