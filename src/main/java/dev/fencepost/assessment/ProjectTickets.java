package dev.fencepost.assessment;

import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.fence.Lanes;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps tickets in PostgreSQL as they stand whenever the ledger takes events about them: they are
 * listed from there, and answered from there once Redis has forgotten them. The event that ends a
 * ticket tells all of it; so does what happened to one that Redis has forgotten since.
 */
@ApplicationScoped
class ProjectTickets implements ReadModel {

  private static final int READS_AT_ONCE = 32;

  private final TicketViewStore tickets;
  private final TicketLedgerStore ledger;
  private final TicketHash hash;
  private final Lanes lanes;

  ProjectTickets(TicketViewStore tickets, TicketLedgerStore ledger, TicketHash hash, Lanes lanes) {
    this.tickets = tickets;
    this.ledger = ledger;
    this.hash = hash;
    this.lanes = lanes;
  }

  @Override
  public Uni<Change> prepare(Batch batch) {
    var touched = new HashMap<String, Told>();
    batch.events().stream()
        .filter(event -> event.resourceType().equals("ticket"))
        .filter(event -> lanes.carriedBy(event.resourceId()).isPresent())
        .forEach(
            event -> touched.merge(event.resourceId(), Told.by(batch.asideOf(event)), Told::then));
    return Multi.createFrom()
        .iterable(touched.entrySet())
        .onItem()
        .transformToUni(ticket -> asItStands(ticket.getKey(), ticket.getValue()))
        .merge(READS_AT_ONCE)
        .collect()
        .asList()
        .map(shown -> transaction -> write(shown, transaction));
  }

  /**
   * What the events of a batch carry of one ticket: all of it, the count of refusals, or nothing.
   *
   * @param isLatest whether nothing happened to the ticket since that is not told here
   */
  private record Told(Map<String, String> fields, boolean isLatest) {

    static Told by(Map<String, String> aside) {
      return new Told(aside, !aside.isEmpty());
    }

    Told then(Told later) {
      if (later.fields.isEmpty()) {
        return new Told(fields, false);
      }
      if (later.isWhole() || !isWhole()) {
        return later;
      }
      var both = new HashMap<>(fields);
      both.putAll(later.fields);
      return new Told(both, isLatest);
    }

    boolean isWhole() {
      return fields.size() > 1;
    }
  }

  /** The word of its events if they say all, else that of Redis if it knows the ticket. */
  private Uni<Shown> asItStands(String ticketId, Told told) {
    return (told.isWhole() && told.isLatest()
            ? Uni.createFrom().item(() -> asTold(ticketId, told))
            : tickets.find(ticketId).map(found -> shown(ticketId, found, told)))
        .onFailure(IllegalStateException.class)
        .recoverWithItem(unreadable -> nothing(ticketId, unreadable));
  }

  private Shown shown(String ticketId, Optional<Ticket> found, Told told) {
    return found
        .map(ticket -> Shown.whole(TicketAnswer.of(ticket)))
        .orElseGet(() -> asTold(ticketId, told));
  }

  private Shown asTold(String ticketId, Told told) {
    if (told.isWhole()) {
      return Shown.whole(hash.told(told.fields()));
    }
    var refused = told.fields().get(TicketHash.REFUSED);
    return new Shown(ticketId, Optional.empty(), Optional.ofNullable(refused).map(Long::valueOf));
  }

  /** One bad ticket never stops the history of the others. */
  private Shown nothing(String ticketId, Throwable unreadable) {
    tickets.tell(ticketId, unreadable);
    return new Shown(ticketId, Optional.empty(), Optional.empty());
  }

  /** What is to be shown of a ticket: all of it, or another count of refusals, or nothing new. */
  private record Shown(String ticketId, Optional<TicketAnswer> answer, Optional<Long> refused) {

    static Shown whole(TicketAnswer answer) {
      return new Shown(answer.ticketId(), Optional.of(answer), Optional.empty());
    }
  }

  private Uni<Void> write(List<Shown> shown, SqlConnection transaction) {
    var whole = shown.stream().flatMap(ticket -> ticket.answer().stream()).toList();
    var counted = new HashMap<String, Long>();
    shown.forEach(
        ticket -> ticket.refused().ifPresent(count -> counted.put(ticket.ticketId(), count)));
    return ledger.put(whole, transaction).flatMap(done -> ledger.count(counted, transaction));
  }
}
