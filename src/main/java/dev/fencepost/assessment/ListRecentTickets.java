package dev.fencepost.assessment;

import static java.util.Comparator.comparing;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists the tickets that Redis knows alone, newest first, while the ledger is away: every lane's
 * newest are merged by the time in their ids. Looks at a bounded number of tickets per page, so a
 * rare status may give a short page that has a next one.
 */
@ApplicationScoped
class ListRecentTickets {

  /** Tickets looked at for one page; more are left to the next page. */
  private static final int MOST_LOOKED_AT = 2000;

  private static final int LANES_AT_ONCE = 16;
  private static final int READS_AT_ONCE = 64;

  private final TicketViewStore tickets;
  private final Lanes lanes;

  ListRecentTickets(TicketViewStore tickets, Lanes lanes) {
    this.tickets = tickets;
    this.lanes = lanes;
  }

  Uni<TicketPage> list(TicketQuery query) {
    return candidates(query).flatMap(ids -> page(query, ids));
  }

  private Uni<List<String>> candidates(TicketQuery query) {
    var asked = query.assetId() == null ? lanes.allFrom(0) : List.of(lanes.of(query.assetId()));
    return Multi.createFrom()
        .iterable(asked)
        .onItem()
        .transformToUni(lane -> newest(lane, query))
        .merge(LANES_AT_ONCE)
        .onItem()
        .<String>disjoint()
        .filter(id -> TicketQuery.ulidOf(id).compareTo(query.before()) < 0)
        .collect()
        .asList()
        .map(
            ids ->
                ids.stream()
                    .sorted(comparing(TicketQuery::ulidOf).reversed())
                    .limit(MOST_LOOKED_AT)
                    .toList());
  }

  private Uni<List<String>> newest(Lane lane, TicketQuery query) {
    return tickets.recent(lane, TicketQuery.millisOf(query.before()), MOST_LOOKED_AT);
  }

  private Uni<TicketPage> page(TicketQuery query, List<String> ids) {
    return Multi.createFrom()
        .iterable(ids)
        .onItem()
        .transformToUni(tickets::findAmongOthers)
        .merge(READS_AT_ONCE)
        .filter(Optional::isPresent)
        .map(Optional::get)
        .filter(query::wants)
        .collect()
        .asList()
        .map(found -> cut(query, ids, found));
  }

  private static TicketPage cut(TicketQuery query, List<String> ids, List<Ticket> found) {
    var newestFirst = new ArrayList<>(found);
    newestFirst.sort(comparing((Ticket t) -> TicketQuery.ulidOf(t.ticketId())).reversed());
    if (newestFirst.size() > query.limit()) {
      var items = List.copyOf(newestFirst.subList(0, query.limit()));
      return new TicketPage(
          answers(items), TicketQuery.tokenAfter(items.get(items.size() - 1).ticketId()));
    }
    var lookedAtAll = ids.size() < MOST_LOOKED_AT;
    return new TicketPage(
        answers(newestFirst), lookedAtAll ? null : TicketQuery.tokenAfter(ids.get(ids.size() - 1)));
  }

  private static List<TicketAnswer> answers(List<Ticket> tickets) {
    return tickets.stream().map(TicketAnswer::of).toList();
  }
}
