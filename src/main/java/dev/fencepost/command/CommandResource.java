package dev.fencepost.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.idempotency.IdempotentByNature;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.OptionalBody;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.jspecify.annotations.Nullable;

/** Shows commands and takes their devices' word on them. */
@Path("/v1/commands/{command_id}")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Commands", description = "What devices are told to do, and what they answered")
@RegisterForReflection(targets = CommandResource.Outcome.class)
class CommandResource {

  private static final int LONGEST_DETAIL = 1000;

  private final ReadCommands commands;
  private final ReportCommand reportCommand;
  private final Callers callers;
  private final ObjectMapper json;

  CommandResource(
      ReadCommands commands, ReportCommand reportCommand, Callers callers, ObjectMapper json) {
    this.commands = commands;
    this.reportCommand = reportCommand;
    this.callers = callers;
    this.json = json;
  }

  /**
   * What a device reports of a command it was told to apply.
   *
   * @param success false if the device could not do it
   * @param detail whatever there is to say about it, at most 1000 characters
   */
  record Outcome(@Nullable Boolean success, @Nullable String detail) {}

  /** One command. */
  @GET
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Operation(summary = "Read a command")
  @APIResponse(responseCode = "403", description = "It is another device's")
  @APIResponse(responseCode = "404", description = "No such command")
  public Uni<Command> get(@PathParam("command_id") String commandId, RoutingContext request) {
    return commands
        .find(commandId)
        .map(found -> found.orElseThrow(() -> ReportCommand.unknown(commandId)))
        .invoke(command -> callers.requireToSpeakFor(command.deviceId(), request));
  }

  /** The device has it. */
  @POST
  @Cancellable(false)
  @IdempotentByNature
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Path("ack")
  @Consumes(MediaType.WILDCARD)
  @Operation(
      summary = "Report that the device has the command",
      description =
          "Ends the sending. Repeats, and reports on a command that has ended, are recorded and"
              + " change nothing.")
  @APIResponse(responseCode = "204", description = "Recorded")
  @APIResponse(responseCode = "403", description = "It is another device's")
  @APIResponse(responseCode = "404", description = "No such command")
  public Uni<Void> ack(@PathParam("command_id") String commandId, RoutingContext request) {
    return report(commandId, Report.ACKED, null, request);
  }

  /** The device did it, or could not. */
  @POST
  @Cancellable(false)
  @IdempotentByNature
  @Needs({Permission.LIVE_CONTROL, Permission.DEVICE_SELF})
  @Path("applied")
  @Consumes(MediaType.WILDCARD)
  @Operation(
      summary = "Report the outcome of the command",
      description =
          "Ends the command, and with it the session it stops; implies that the device has it. A"
              + " report on a command that has expired is recorded, and does not revive it.")
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = Outcome.class)))
  @APIResponse(responseCode = "204", description = "Recorded")
  @APIResponse(responseCode = "403", description = "It is another device's")
  @APIResponse(responseCode = "404", description = "No such command")
  public Uni<Void> applied(
      @PathParam("command_id") String commandId, @Nullable String body, RoutingContext request)
      throws JsonProcessingException {
    var outcome = OptionalBody.read(json, body, Outcome.class);
    if (outcome.success == null) {
      throw Refused.field("success", "must be true or false");
    }
    if (outcome.detail != null && outcome.detail.length() > LONGEST_DETAIL) {
      throw Refused.field("detail", "must have at most " + LONGEST_DETAIL + " characters");
    }
    return report(
        commandId, outcome.success ? Report.APPLIED : Report.FAILED, outcome.detail, request);
  }

  private Uni<Void> report(
      String commandId, Report report, @Nullable String detail, RoutingContext request) {
    return reportCommand.report(
        commandId,
        report,
        detail,
        callers.origin(request),
        deviceId -> callers.requireToSpeakFor(deviceId, request));
  }
}
