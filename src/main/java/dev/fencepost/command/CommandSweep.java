package dev.fencepost.command;

import dev.fencepost.kernel.agenda.Sweep;
import dev.fencepost.kernel.agenda.Sweeps;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.platform.telemetry.LogFacts;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Gives up commands whose life is over, and puts off those whose device nobody has. Safe on every
 * replica at once: the script decides, not the schedule.
 */
@ApplicationScoped
class CommandSweep {

  private static final Logger LOG = Logger.getLogger(CommandSweep.class);

  /** How many commands of one lane are given up, and put off, in one tick. */
  private static final int BATCH = 1000;

  /** In so many looks, the replica that has the device finds what is due. */
  private static final int LOOKS_OF_GRACE = 8;

  private final CommandStore commands;
  private final CommandSettings settings;
  private final Sweep sweep;

  CommandSweep(CommandStore commands, CommandSettings settings, Sweeps sweeps) {
    this.commands = commands;
    this.settings = settings;
    this.sweep = sweeps.named("sweep of commands", "fencepost.command.unreadable");
  }

  @Scheduled(
      every = "${fencepost.agenda.sweep-every:1s}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> sweep() {
    return sweep.lanes(this::sweep).replaceWithVoid();
  }

  private Uni<Void> sweep(Lane lane) {
    return Uni.combine()
        .all()
        .unis(commands.expired(lane, BATCH), commands.due(lane, BATCH))
        .asTuple()
        .flatMap(both -> giveUp(both.getItem1()).flatMap(done -> putOff(lane, both.getItem2())));
  }

  private Uni<Void> giveUp(List<CommandKeys> expired) {
    return sweep.each(expired, CommandKeys::facts, this::giveUp);
  }

  private Uni<Reported> giveUp(CommandKeys keys) {
    return commands.report(keys, Report.EXPIRED, null, null).invoke(said -> log(keys, said));
  }

  /** Of several replicas, the one that gave it up says so. */
  private static void log(CommandKeys keys, Reported said) {
    if (said == Reported.RECORDED) {
      LogFacts.log(
          LOG,
          Level.WARN,
          keys::facts,
          "command %s of %s: EXPIRED, its device did not confirm it",
          keys.commandId(),
          keys.deviceId());
    }
  }

  private Uni<Void> putOff(Lane lane, List<CommandKeys> due) {
    return commands.park(lane, due, settings.lookEvery().multipliedBy(LOOKS_OF_GRACE));
  }
}
