package dev.fencepost.assessment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.asset.AssetId;
import dev.fencepost.kernel.idempotency.DerivedIds;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Preference;
import dev.fencepost.platform.http.Shedding;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.jspecify.annotations.Nullable;

/** Asks for assessments. */
@Path("/v1/assets/{asset_id}/assessments")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Assessments", description = "Is an asset at high risk, and was someone told?")
@RegisterForReflection(targets = AssessmentResource.Wanted.class)
class AssessmentResource {

  private final TicketViewStore tickets;
  private final StartAssessment startAssessment;
  private final AwaitTicket awaitTicket;
  private final Callers callers;
  private final DerivedIds ids;
  private final ObjectMapper json;
  private final Shedding shedding;

  AssessmentResource(
      TicketViewStore tickets,
      StartAssessment startAssessment,
      AwaitTicket awaitTicket,
      Callers callers,
      DerivedIds ids,
      ObjectMapper json,
      Shedding shedding) {
    this.tickets = tickets;
    this.startAssessment = startAssessment;
    this.awaitTicket = awaitTicket;
    this.callers = callers;
    this.ids = ids;
    this.json = json;
    this.shedding = shedding;
  }

  /**
   * What is asked for.
   *
   * @param force true opens a new ticket even if a finished one is fresh
   */
  record Wanted(@Nullable Boolean force) {}

  /** Assesses an asset, or says what is known already. */
  @POST
  @Cancellable(false)
  @Needs(Permission.ASSESSMENTS_RUN)
  @Consumes(MediaType.WILDCARD)
  @Operation(
      summary = "Assess an asset",
      description =
          "Opens a ticket and runs it; joins the unfinished one if there is one. A finished ticket"
              + " that is fresh answers at once, with X-Fencepost-Cached: true, unless force is"
              + " set. With Prefer: wait=N the answer comes when the ticket has ended, at the"
              + " latest after N seconds.")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Wanted.class),
              examples = @ExampleObject(name = "a new ticket", value = "{\"force\": true}")))
  @APIResponse(
      responseCode = "200",
      description = "The ticket has ended",
      content = @Content(schema = @Schema(implementation = TicketAnswer.class)))
  @APIResponse(
      responseCode = "202",
      description = "The ticket is unfinished; Location names it",
      content = @Content(schema = @Schema(implementation = TicketAnswer.class)))
  @APIResponse(responseCode = "404", description = "No such asset")
  public Uni<RestResponse<Object>> assess(
      @PathParam("asset_id") String assetId,
      @Parameter(description = "wait=N: seconds to wait for the end, at most 60")
          @HeaderParam("Prefer")
          List<String> prefer,
      @Nullable String body,
      RoutingContext request)
      throws JsonProcessingException {
    AssetId.require(assetId);
    var preference = Preference.of(prefer);
    var force = isForced(body);
    return force || ids.mayHaveBegun(request)
        ? start(assetId, force, preference, request)
        : tickets
            .fresh(assetId)
            .flatMap(
                known ->
                    known.isPresent()
                        ? Uni.createFrom().item(cached(known.get()))
                        : start(assetId, false, preference, request));
  }

  private Uni<RestResponse<Object>> start(
      String assetId, boolean force, Optional<Preference> preference, RoutingContext request) {
    return startAssessment
        .start(assetId, ids.idOf("ticket", request), callers.origin(request), force)
        .flatMap(
            started ->
                started instanceof Started.Known known
                    ? Uni.createFrom().item(cached(known.json()))
                    : awaited(((Started.Unfinished) started).ticket(), preference, request));
  }

  private Uni<RestResponse<Object>> awaited(
      Ticket ticket, Optional<Preference> preference, RoutingContext request) {
    var kept = preference.filter(wanted -> shedding.mayWait(request));
    return awaitTicket
        .atMost(kept.map(Preference::patience).orElse(Duration.ZERO), ticket)
        .map(ended -> answer(ended, kept));
  }

  /** Clients send an empty body under any content type, or none; that asks for nothing special. */
  private boolean isForced(@Nullable String body) throws JsonProcessingException {
    return body != null
        && !body.isBlank()
        && Boolean.TRUE.equals(json.readValue(body, Wanted.class).force());
  }

  private static RestResponse<Object> cached(String json) {
    return ResponseBuilder.<Object>ok(json, MediaType.APPLICATION_JSON)
        .header("X-Fencepost-Cached", "true")
        .build();
  }

  private static RestResponse<Object> answer(Ticket ticket, Optional<Preference> preference) {
    var status = ticket.isTerminal() ? RestResponse.Status.OK : RestResponse.Status.ACCEPTED;
    var response =
        ResponseBuilder.<Object>create(status, TicketAnswer.of(ticket))
            .header("Location", "/v1/tickets/" + ticket.ticketId());
    preference.ifPresent(kept -> response.header("Preference-Applied", kept.applied()));
    return response.build();
  }
}
