package dev.fencepost.command;

import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes a device's word on one of its commands, from whichever channel it comes. */
@ApplicationScoped
class ReportCommand {

  private final CommandStore commands;
  private final CommandViewStore views;
  private final Lanes lanes;
  private final Mask mask;

  ReportCommand(CommandStore commands, CommandViewStore views, Lanes lanes, Mask mask) {
    this.commands = commands;
    this.views = views;
    this.lanes = lanes;
    this.mask = mask;
  }

  /**
   * Records a report; repeats and late ones are recorded too, and move nothing back.
   *
   * @param mayReport is given the id of the command's device, and throws if the caller is another
   * @return nothing; fails with {@link Refused} if there is no such command
   */
  Uni<Void> report(
      String commandId,
      Report report,
      @Nullable String detail,
      Origin origin,
      Consumer<String> mayReport) {
    return views
        .find(commandId)
        .map(found -> found.orElseThrow(() -> unknown(commandId)))
        .invoke(command -> mayReport.accept(command.deviceId()))
        .map(command -> CommandKeys.of(lanes.of(command.deviceId()), command))
        .flatMap(
            keys ->
                commands.report(keys, report, detail == null ? null : mask.text(detail), origin))
        .invoke(
            reported -> {
              if (reported == Reported.NOT_FOUND) {
                throw unknown(commandId);
              }
            })
        .replaceWithVoid();
  }

  static Refused unknown(String commandId) {
    return new Refused(ProblemType.COMMAND_NOT_FOUND, "there is no command " + commandId);
  }
}
