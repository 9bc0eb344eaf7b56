package dev.fencepost.assessment;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.idempotency.DerivedIds;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.PageLimit;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.http.Shedding;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.jspecify.annotations.Nullable;

/** Shows tickets, follows them, and lets people step in. */
@Path("/v1/tickets")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Tickets", description = "The recorded facts of assessments")
@RegisterForReflection(targets = TicketHistory.Fact.class)
class TicketResource {

  private final TicketViewStore tickets;
  private final TicketLedgerStore ledger;
  private final InterventionStore interventions;
  private final ListTickets listTickets;
  private final FollowTicket followTicket;
  private final Callers callers;
  private final Lanes lanes;
  private final DerivedIds ids;
  private final Shedding shedding;

  TicketResource(
      TicketViewStore tickets,
      TicketLedgerStore ledger,
      InterventionStore interventions,
      ListTickets listTickets,
      FollowTicket followTicket,
      Callers callers,
      Lanes lanes,
      DerivedIds ids,
      Shedding shedding) {
    this.tickets = tickets;
    this.ledger = ledger;
    this.interventions = interventions;
    this.listTickets = listTickets;
    this.followTicket = followTicket;
    this.callers = callers;
    this.lanes = lanes;
    this.ids = ids;
    this.shedding = shedding;
  }

  /** One ticket. */
  @GET
  @Needs(Permission.TICKETS_READ)
  @Path("{ticket_id}")
  @Operation(summary = "Read a ticket")
  @APIResponse(
      responseCode = "200",
      description = "The ticket as it stands",
      content = @Content(schema = @Schema(implementation = TicketAnswer.class)))
  @APIResponse(responseCode = "404", description = "No such ticket")
  public Uni<Object> get(@PathParam("ticket_id") String ticketId) {
    return tickets
        .shown(ticketId)
        .flatMap(
            found ->
                found.isPresent() ? Uni.createFrom().item(found.get()) : fromTheLedger(ticketId));
  }

  /** Redis forgets ended tickets; an id that is none of ours is not worth a query. */
  private Uni<TicketAnswer> fromTheLedger(String ticketId) {
    if (lanes.carriedBy(ticketId).isEmpty()) {
      throw unknown(ticketId);
    }
    return ledger.find(ticketId).map(found -> found.orElseThrow(() -> unknown(ticketId)));
  }

  /** Tickets, newest first. */
  @GET
  @Needs(Permission.TICKETS_READ)
  @Operation(summary = "List tickets, newest first")
  @APIResponse(responseCode = "200", description = "next_page_token is null on the last page")
  public Uni<TicketPage> list(
      @Parameter(description = "only this asset's") @QueryParam("asset_id")
          @Nullable String assetId,
      @Parameter(description = "only tickets in this status, e.g. FAILED") @QueryParam("status")
          @Nullable String status,
      @Parameter(description = "1 to 500, 50 unless given") @QueryParam("limit")
          @Nullable String limit,
      @Parameter(description = "next_page_token of the page before") @QueryParam("page_token")
          @Nullable String pageToken) {
    return listTickets.list(TicketQuery.of(assetId, status, PageLimit.parse(limit), pageToken));
  }

  /** One event per recorded fact, until the ticket has ended. */
  @GET
  @Needs(Permission.TICKETS_READ)
  @KnownTicket
  @Path("{ticket_id}/events")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @Operation(
      summary = "Follow a ticket",
      description =
          "Server-sent events: one per status it has been in, from the first or from after"
              + " Last-Event-ID. The stream closes when the ticket has ended, or the token that"
              + " opened it.")
  @APIResponse(responseCode = "404", description = "No such ticket")
  public Multi<OutboundSseEvent> events(
      @PathParam("ticket_id") String ticketId,
      @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
      RoutingContext request,
      Sse sse) {
    shedding.requireWait(request);
    return followTicket
        .follow(ticketId, sequence(lastEventId), request)
        .map(fact -> event(fact, sse));
  }

  /** Gives a failed ticket another row of attempts. */
  @POST
  @Cancellable(false)
  @Needs(Permission.TICKETS_MANAGE)
  @Path("{ticket_id}/retry")
  @Operation(summary = "Retry a FAILED ticket", description = "Goes on where it failed.")
  @APIResponse(
      responseCode = "202",
      description = "It is due now",
      content = @Content(schema = @Schema(implementation = TicketAnswer.class)))
  @APIResponse(responseCode = "404", description = "No such ticket")
  @APIResponse(
      responseCode = "409",
      description = "It is not FAILED, or its asset has another unfinished ticket")
  public Uni<RestResponse<Object>> retry(
      @PathParam("ticket_id") String ticketId, RoutingContext request) {
    return interventions
        .retry(ticketId, ids.idOf("retry", request), callers.origin(request))
        .flatMap(done -> get(ticketId))
        .map(
            ticket ->
                ResponseBuilder.create(RestResponse.Status.ACCEPTED, ticket)
                    .header("Location", "/v1/tickets/" + ticketId)
                    .build());
  }

  /** Lets a person end a ticket, over the head of whoever runs it. */
  @POST
  @Cancellable(false)
  @Needs(Permission.TICKETS_MANAGE)
  @Path("{ticket_id}/corrections")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "End a ticket by hand",
      description =
          "Takes a new, higher fencing token first, so whoever runs the ticket cannot write any"
              + " more. The reason stands in the ticket and in the events.")
  @APIResponse(
      responseCode = "200",
      description = "The ticket as it stands",
      content = @Content(schema = @Schema(implementation = TicketAnswer.class)))
  @APIResponse(responseCode = "404", description = "No such ticket")
  @APIResponse(responseCode = "409", description = "It is in that status already")
  public Uni<Object> correct(
      @PathParam("ticket_id") String ticketId,
      @Nullable Correction correction,
      RoutingContext request) {
    return interventions
        .correct(
            ticketId,
            Correction.valid(correction),
            ids.idOf("correction", request),
            callers.origin(request))
        .flatMap(done -> get(ticketId));
  }

  /** Lets a person say what became of a notification that is in doubt. */
  @POST
  @Cancellable(false)
  @Needs(Permission.TICKETS_MANAGE)
  @Path("{ticket_id}/notifications/{channel}/settle")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Settle a notification in doubt",
      description = "Only a channel that is UNCERTAIN, of a ticket that has ended.")
  @APIResponse(
      responseCode = "200",
      description = "The ticket as it stands",
      content = @Content(schema = @Schema(implementation = TicketAnswer.class)))
  @APIResponse(responseCode = "404", description = "No such ticket, or it told no such channel")
  @APIResponse(responseCode = "409", description = "Nothing is in doubt there")
  public Uni<Object> settle(
      @PathParam("ticket_id") String ticketId,
      @PathParam("channel") String channel,
      @Nullable Settlement settlement,
      RoutingContext request) {
    return ticket(ticketId)
        .flatMap(
            seen ->
                interventions.settle(
                    seen,
                    Settlement.valid(settlement, channel, seen),
                    ids.idOf("settlement", request),
                    callers.origin(request)))
        .flatMap(done -> get(ticketId));
  }

  private Uni<Ticket> ticket(String ticketId) {
    return tickets.find(ticketId).map(found -> found.orElseThrow(() -> unknown(ticketId)));
  }

  private static Refused unknown(String ticketId) {
    return new Refused(ProblemType.TICKET_NOT_FOUND, "there is no ticket " + ticketId);
  }

  private static int sequence(@Nullable String lastEventId) {
    try {
      return lastEventId == null ? 0 : Integer.parseInt(lastEventId.strip());
    } catch (NumberFormatException e) {
      throw Refused.field("Last-Event-ID", "must be the id of an event of this stream");
    }
  }

  private static OutboundSseEvent event(TicketHistory.Fact fact, Sse sse) {
    return sse.newEventBuilder()
        .id(Integer.toString(fact.sequence()))
        .name("fact")
        .mediaType(MediaType.APPLICATION_JSON_TYPE)
        .data(fact)
        .build();
  }
}
