package dev.fencepost.assessment;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Answers for a ticket that does not exist, before its stream begins. */
class KnownTicketFilter {

  private final TicketViewStore tickets;

  KnownTicketFilter(TicketViewStore tickets) {
    this.tickets = tickets;
  }

  @KnownTicket
  @ServerRequestFilter
  public Uni<Void> refuseUnknown(UriInfo uri) {
    var ticketId = uri.getPathParameters().getFirst("ticket_id");
    return tickets
        .find(ticketId)
        .invoke(
            found -> {
              if (found.isEmpty()) {
                throw new Refused(ProblemType.TICKET_NOT_FOUND, "there is no ticket " + ticketId);
              }
            })
        .replaceWithVoid();
  }
}
