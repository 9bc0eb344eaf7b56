package dev.fencepost.assessment;

import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.access.StillAllowed;
import dev.fencepost.platform.lifecycle.Intake;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Follows a ticket from any replica: looks at its recorded facts until it has ended, its reader may
 * not see them any more, or this process stops. A reader that comes back names the last fact it
 * saw.
 */
@ApplicationScoped
class FollowTicket {

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final TicketViewStore tickets;
  private final StillAllowed stillAllowed;
  private final Intake intake;

  FollowTicket(TicketViewStore tickets, StillAllowed stillAllowed, Intake intake) {
    this.tickets = tickets;
    this.stillAllowed = stillAllowed;
    this.intake = intake;
  }

  Multi<TicketHistory.Fact> follow(String ticketId, int afterSequence, RoutingContext request) {
    var allowed = stillAllowed.of(request, caller -> caller.may(Permission.TICKETS_READ));
    return Multi.createBy()
        .repeating()
        .uni(() -> new Reader(afterSequence), reader -> look(ticketId, reader, allowed))
        .withDelay(LOOK_EVERY)
        .whilst(page -> !page.last() && intake.isOpen())
        .onItem()
        .transformToIterable(Page::facts);
  }

  private Uni<Page> look(String ticketId, Reader reader, Uni<Boolean> allowed) {
    return allowed.flatMap(
        may -> may ? tickets.history(ticketId).map(reader::read) : Uni.createFrom().item(Page.END));
  }

  /** The facts that one look found new. */
  private record Page(List<TicketHistory.Fact> facts, boolean last) {

    static final Page END = new Page(List.of(), true);
  }

  /** Remembers how far one follower has read. */
  private static final class Reader {

    private int seen;

    Reader(int seen) {
      this.seen = seen;
    }

    Page read(Optional<TicketHistory> history) {
      if (history.isEmpty()) {
        return Page.END;
      }
      var fresh = history.get().facts().stream().filter(f -> f.sequence() > seen).toList();
      seen += fresh.size();
      return new Page(fresh, history.get().ticket().isTerminal());
    }
  }
}
