package dev.fencepost.assessment;

import static java.util.Comparator.comparing;

import dev.fencepost.kernel.audit.ledger.LedgerTail;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists tickets from the ledger, newest first, with those from Redis in their place that changed
 * since: callers read their own writes.
 */
@ApplicationScoped
class ListTickets {

  private static final int READS_AT_ONCE = 64;

  private final TicketViewStore tickets;
  private final TicketLedgerStore ledger;
  private final LedgerTail tail;
  private final ListRecentTickets recent;
  private final Lanes lanes;

  ListTickets(
      TicketViewStore tickets,
      TicketLedgerStore ledger,
      LedgerTail tail,
      ListRecentTickets recent,
      Lanes lanes) {
    this.tickets = tickets;
    this.ledger = ledger;
    this.tail = tail;
    this.recent = recent;
    this.lanes = lanes;
  }

  Uni<TicketPage> list(TicketQuery query) {
    return newer(query)
        .flatMap(
            newer ->
                ledger
                    .list(query, query.limit() + 1 + newer.size())
                    .map(known -> page(query, known, newer)))
        .onFailure(Refused.class)
        .recoverWithUni(() -> recent.list(query));
  }

  /** Tickets of which Redis may know more than the ledger, by id. */
  private Uni<Map<String, Ticket>> newer(TicketQuery query) {
    return tail.resources(asked(query))
        .flatMap(
            ids ->
                Multi.createFrom()
                    .iterable(ids)
                    .filter(id -> lanes.carriedBy(id).isPresent() && id.startsWith("t"))
                    .onItem()
                    .transformToUni(tickets::findAmongOthers)
                    .merge(READS_AT_ONCE)
                    .filter(Optional::isPresent)
                    .map(Optional::get)
                    .collect()
                    .asMap(Ticket::ticketId));
  }

  private List<Lane> asked(TicketQuery query) {
    return query.assetId() == null ? lanes.allFrom(0) : List.of(lanes.of(query.assetId()));
  }

  private static TicketPage page(
      TicketQuery query, List<TicketAnswer> known, Map<String, Ticket> newer) {
    var all = new HashMap<String, TicketAnswer>();
    known.stream()
        .filter(answer -> !newer.containsKey(answer.ticketId()))
        .forEach(answer -> all.put(answer.ticketId(), answer));
    newer.values().stream()
        .filter(query::wants)
        .filter(ticket -> TicketQuery.ulidOf(ticket.ticketId()).compareTo(query.before()) < 0)
        .forEach(ticket -> all.put(ticket.ticketId(), TicketAnswer.of(ticket)));
    var newestFirst =
        all.values().stream()
            .sorted(comparing((TicketAnswer t) -> TicketQuery.ulidOf(t.ticketId())).reversed())
            .toList();
    if (newestFirst.size() <= query.limit()) {
      return new TicketPage(newestFirst, null);
    }
    var items = newestFirst.subList(0, query.limit());
    return new TicketPage(items, TicketQuery.tokenAfter(items.get(items.size() - 1).ticketId()));
  }
}
