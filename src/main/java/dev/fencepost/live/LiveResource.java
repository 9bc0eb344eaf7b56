package dev.fencepost.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.idempotency.DerivedIds;
import dev.fencepost.kernel.idempotency.IdempotentByNature;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.OptionalBody;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.jspecify.annotations.Nullable;

/** Starts, keeps alive and stops the live session of one device. */
@Path("/v1/devices/{device_id}/live")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Live sessions", description = "Did that device really stop streaming, once?")
@RegisterForReflection(targets = {LiveResource.Named.class, LiveResource.StopWanted.class})
class LiveResource {

  private static final int LONGEST_REASON = 500;

  private final LiveStore sessions;
  private final ReadLive readLive;
  private final StartLive startLive;
  private final StopLive stopLive;
  private final Callers callers;
  private final DerivedIds ids;
  private final ObjectMapper json;

  LiveResource(
      LiveStore sessions,
      ReadLive readLive,
      StartLive startLive,
      StopLive stopLive,
      Callers callers,
      DerivedIds ids,
      ObjectMapper json) {
    this.sessions = sessions;
    this.readLive = readLive;
    this.startLive = startLive;
    this.stopLive = stopLive;
    this.callers = callers;
    this.ids = ids;
    this.json = json;
  }

  /**
   * Which session is meant.
   *
   * @param sessionId to start: chosen here unless given
   */
  record Named(@Nullable String sessionId) {}

  /**
   * What is to be stopped.
   *
   * @param sessionId nothing else is touched; the device's newest session unless given
   * @param reason stands in the command and in the events; at most 500 characters
   */
  record StopWanted(@Nullable String sessionId, @Nullable String reason) {}

  /** Starts a session. */
  @POST
  @Cancellable(false)
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Consumes(MediaType.WILDCARD)
  @Operation(
      summary = "Start a live session",
      description =
          "A session that is live under another id is stopped first, with a stop command of its"
              + " own. A session id is used once: after its stop, start with another.")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Named.class)))
  @APIResponse(
      responseCode = "200",
      description = "It was live before",
      content = @Content(schema = @Schema(implementation = LiveSession.class)))
  @APIResponse(
      responseCode = "201",
      description = "It is live now",
      content = @Content(schema = @Schema(implementation = LiveSession.class)))
  @APIResponse(responseCode = "409", description = "That session id was stopped before")
  public Uni<RestResponse<LiveSession>> start(
      @PathParam("device_id") String deviceId, @Nullable String body, RoutingContext request)
      throws JsonProcessingException {
    admit(deviceId, request);
    var named = named(OptionalBody.read(json, body, Named.class).sessionId);
    return startLive
        .start(
            deviceId,
            named.orElseGet(() -> "s" + ids.idOf("session", request)),
            callers.origin(request))
        .map(LiveResource::answer);
  }

  /** The device's newest session. */
  @GET
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Operation(summary = "Read a device's newest session, live or not")
  @APIResponse(responseCode = "404", description = "It never had one")
  public Uni<LiveSession> get(@PathParam("device_id") String deviceId, RoutingContext request) {
    admit(deviceId, request);
    return readLive
        .newest(deviceId)
        .map(
            found ->
                found.orElseThrow(
                    () ->
                        new Refused(
                            ProblemType.LIVE_SESSION_NOT_FOUND,
                            "there is no session of " + deviceId)));
  }

  /** The device is there. */
  @POST
  @Cancellable(false)
  @IdempotentByNature
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Path("heartbeat")
  @Consumes(MediaType.WILDCARD)
  @Operation(
      summary = "Report that the device is alive",
      description = "Keeps no event: heartbeats are not history.")
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Named.class)))
  @APIResponse(responseCode = "204", description = "Heard")
  @APIResponse(
      responseCode = "410",
      description = "That session is not live any more: stop, or start another")
  public Uni<Void> heartbeat(
      @PathParam("device_id") String deviceId, @Nullable String body, RoutingContext request)
      throws JsonProcessingException {
    admit(deviceId, request);
    var sessionId =
        named(OptionalBody.read(json, body, Named.class).sessionId)
            .orElseThrow(() -> Refused.field("session_id", "must be given"));
    return sessions
        .heartbeat(sessions.keys(deviceId, sessionId))
        .invoke(
            heard -> {
              if (!heard) {
                throw new Refused(
                    ProblemType.SESSION_NOT_LIVE,
                    "session %s of %s is not live".formatted(sessionId, deviceId));
              }
            })
        .replaceWithVoid();
  }

  /** Stops a session, once. */
  @POST
  @Cancellable(false)
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Path("stop")
  @Consumes(MediaType.WILDCARD)
  @Operation(
      summary = "Stop a live session",
      description =
          "Always 200: the result says what came of it. However often and by whomever it is asked"
              + " for, a session has one stop command, and only the request that made it hears"
              + " accepted.")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = StopWanted.class)))
  public Uni<StopAnswer> stop(
      @PathParam("device_id") String deviceId, @Nullable String body, RoutingContext request)
      throws JsonProcessingException {
    admit(deviceId, request);
    var wanted = OptionalBody.read(json, body, StopWanted.class);
    if (wanted.reason != null && wanted.reason.length() > LONGEST_REASON) {
      throw Refused.field("reason", "must have at most " + LONGEST_REASON + " characters");
    }
    return stopLive
        .stop(
            deviceId,
            named(wanted.sessionId),
            Stop.byUser(wanted.reason, ids.idOf("stop", request), callers.origin(request)))
        .map(StopAnswer::of);
  }

  private void admit(String deviceId, RoutingContext request) {
    callers.requireToSpeakFor(Identifier.require("device_id", deviceId), request);
  }

  private static Optional<String> named(@Nullable String sessionId) {
    return Optional.ofNullable(sessionId).map(id -> Identifier.require("session_id", id));
  }

  private static RestResponse<LiveSession> answer(StartLive.Started started) {
    return started.isNew()
        ? ResponseBuilder.create(RestResponse.Status.CREATED, started.session())
            .header("Location", "/v1/devices/" + started.session().deviceId() + "/live")
            .build()
        : RestResponse.ok(started.session());
  }
}
