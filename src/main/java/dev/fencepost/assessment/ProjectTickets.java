package dev.fencepost.assessment;

import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.fence.Lanes;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Keeps tickets in PostgreSQL as they stand whenever the ledger takes events about them: they are
 * listed from there, and answered from there once Redis has forgotten them.
 */
@ApplicationScoped
class ProjectTickets implements ReadModel {

  private static final Logger LOG = Logger.getLogger(ProjectTickets.class);
  private static final int READS_AT_ONCE = 32;

  private final TicketViewStore tickets;
  private final TicketLedgerStore ledger;
  private final Lanes lanes;
  private final MeterRegistry metrics;

  ProjectTickets(
      TicketViewStore tickets, TicketLedgerStore ledger, Lanes lanes, MeterRegistry metrics) {
    this.tickets = tickets;
    this.ledger = ledger;
    this.lanes = lanes;
    this.metrics = metrics;
  }

  @Override
  public Uni<Change> prepare(List<RecordedEvent> events) {
    var touched =
        events.stream()
            .filter(event -> event.resourceType().equals("ticket"))
            .map(RecordedEvent::resourceId)
            .filter(id -> lanes.carriedBy(id).isPresent())
            .distinct()
            .toList();
    return Multi.createFrom()
        .iterable(touched)
        .onItem()
        .transformToUni(this::asItStands)
        .merge(READS_AT_ONCE)
        .filter(Optional::isPresent)
        .map(Optional::get)
        .collect()
        .asList()
        .map(found -> transaction -> ledger.put(found, transaction));
  }

  /** One bad ticket never stops the history of the others. */
  private Uni<Optional<Ticket>> asItStands(String ticketId) {
    return tickets
        .find(ticketId)
        .onFailure(IllegalStateException.class)
        .recoverWithItem(
            unreadable -> {
              LOG.errorf(unreadable, "ticket %s cannot be shown from the ledger", ticketId);
              metrics.counter("fencepost.tickets.unreadable").increment();
              return Optional.empty();
            });
  }
}
