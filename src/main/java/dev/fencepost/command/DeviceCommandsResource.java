package dev.fencepost.command;

import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.access.StillAllowed;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.http.PageLimit;
import dev.fencepost.platform.http.Shedding;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The commands of one device: as a list, and as the stream that the device itself follows. */
@Path("/v1/devices/{device_id}/commands")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Commands")
class DeviceCommandsResource {

  private final ReadCommands commands;
  private final SseChannel channel;
  private final DeliverCommands deliverCommands;
  private final Callers callers;
  private final StillAllowed stillAllowed;
  private final Shedding shedding;

  DeviceCommandsResource(
      ReadCommands commands,
      SseChannel channel,
      DeliverCommands deliverCommands,
      Callers callers,
      StillAllowed stillAllowed,
      Shedding shedding) {
    this.commands = commands;
    this.channel = channel;
    this.deliverCommands = deliverCommands;
    this.callers = callers;
    this.stillAllowed = stillAllowed;
    this.shedding = shedding;
  }

  /** A device's commands, newest first. */
  @GET
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Operation(summary = "List a device's commands, newest first")
  @APIResponse(responseCode = "200", description = "next_page_token is null on the last page")
  @APIResponse(responseCode = "403", description = "The caller is another device")
  public Uni<CommandPage> list(
      @PathParam("device_id") String deviceId,
      @Parameter(description = "1 to 500, 50 unless given") @QueryParam("limit")
          @Nullable String limit,
      @Parameter(description = "next_page_token of the page before") @QueryParam("page_token")
          @Nullable String pageToken,
      RoutingContext request) {
    callers.requireToSpeakFor(Identifier.require("device_id", deviceId), request);
    return commands.ofDevice(deviceId, PageCursor.parse(pageToken), PageLimit.parse(limit));
  }

  /** A device's commands as they are to be carried out. */
  @GET
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Path("stream")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @Operation(
      summary = "Follow a device's commands, as the device",
      description =
          "Server-sent events: what is unfinished first, then what is new. An event may come more"
              + " than once; drop repeats by its id, which is the command's. Last-Event-ID leaves"
              + " out what the device has at hand. Comments show that the stream is alive; a device"
              + " that does not read is cut off. It ends with the token that opened it.")
  @APIResponse(responseCode = "403", description = "The caller is another device")
  public Multi<OutboundSseEvent> stream(
      @PathParam("device_id") String deviceId,
      @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
      RoutingContext request,
      Sse sse) {
    callers.requireToSpeakFor(Identifier.require("device_id", deviceId), request);
    shedding.requireWait(request);
    return channel
        .connect(deviceId, stillAllowed.of(request, caller -> caller.maySpeakFor(deviceId)))
        .onSubscription()
        .invoke(() -> deliverCommands.arrived(deviceId, lastEventId))
        .map(command -> event(command, sse));
  }

  private static OutboundSseEvent event(Optional<Command> command, Sse sse) {
    return command
        .map(
            sent ->
                sse.newEventBuilder()
                    .id(sent.commandId())
                    .name("command")
                    .mediaType(MediaType.APPLICATION_JSON_TYPE)
                    .data(sent)
                    .build())
        .orElseGet(() -> sse.newEventBuilder().comment("alive").build());
  }
}
