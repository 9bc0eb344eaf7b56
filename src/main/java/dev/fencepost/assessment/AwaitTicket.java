package dev.fencepost.assessment;

import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.platform.lifecycle.Intake;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for a ticket to end, for those who asked to: by its run if it runs here, else by looking.
 */
@ApplicationScoped
class AwaitTicket {

  /** How often a ticket that runs elsewhere is looked at. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final Running running;
  private final TicketViewStore tickets;
  private final Intake intake;

  AwaitTicket(Running running, TicketViewStore tickets, Intake intake) {
    this.running = running;
    this.tickets = tickets;
    this.intake = intake;
  }

  /** The ticket once it has ended, or as it stands when the time is up or this process stops. */
  Uni<Ticket> atMost(Duration limit, Ticket ticket) {
    if (ticket.isTerminal() || limit.isZero()) {
      return Uni.createFrom().item(ticket);
    }
    var ended =
        running
            .outcome(ticket.ticketId())
            .map(outcome -> itsRun(outcome, ticket))
            .orElseGet(() -> looking(ticket));
    return Uni.join()
        .first(ended, intake.closed().flatMap(closed -> asItStands(ticket)))
        .toTerminate()
        .ifNoItem()
        .after(limit)
        .recoverWithUni(() -> asItStands(ticket));
  }

  private Uni<Ticket> itsRun(Uni<Ticket> outcome, Ticket ticket) {
    return outcome
        .onFailure(LeaseLost.class)
        .recoverWithItem(ticket)
        .onFailure(RedisUnavailable.class)
        .recoverWithItem(ticket)
        .flatMap(left -> left.isTerminal() ? Uni.createFrom().item(left) : looking(left));
  }

  private Uni<Ticket> looking(Ticket ticket) {
    return Multi.createBy()
        .repeating()
        .uni(() -> asItStands(ticket))
        .withDelay(LOOK_EVERY)
        .whilst(seen -> !seen.isTerminal())
        .collect()
        .last();
  }

  private Uni<Ticket> asItStands(Ticket ticket) {
    return tickets.find(ticket.ticketId()).map(found -> orGone(found, ticket));
  }

  private static Ticket orGone(Optional<Ticket> found, Ticket ticket) {
    return found.orElseThrow(
        () -> new IllegalStateException("ticket " + ticket.ticketId() + " is gone"));
  }
}
