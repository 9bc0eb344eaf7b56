package dev.fencepost.assessment;

import dev.fencepost.platform.lifecycle.Intake;
import io.smallrye.mutiny.Multi;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Follows a ticket from any replica: looks at its recorded facts until it has ended, or this
 * process stops. A reader that comes back names the last fact it saw.
 */
@ApplicationScoped
class FollowTicket {

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final TicketViewStore tickets;
  private final Intake intake;

  FollowTicket(TicketViewStore tickets, Intake intake) {
    this.tickets = tickets;
    this.intake = intake;
  }

  Multi<TicketHistory.Fact> follow(String ticketId, int afterSequence) {
    return Multi.createBy()
        .repeating()
        .uni(() -> new Reader(afterSequence), reader -> tickets.history(ticketId).map(reader::read))
        .withDelay(LOOK_EVERY)
        .whilst(page -> !page.last() && intake.isOpen())
        .onItem()
        .transformToIterable(Page::facts);
  }

  /** The facts that one look found new. */
  private record Page(List<TicketHistory.Fact> facts, boolean last) {}

  /** Remembers how far one follower has read. */
  private static final class Reader {

    private int seen;

    Reader(int seen) {
      this.seen = seen;
    }

    Page read(Optional<TicketHistory> history) {
      if (history.isEmpty()) {
        return new Page(List.of(), true);
      }
      var fresh = history.get().facts().stream().filter(f -> f.sequence() > seen).toList();
      seen += fresh.size();
      return new Page(fresh, history.get().ticket().isTerminal());
    }
  }
}
