package dev.fencepost.command;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Gives up commands whose life is over, and puts off those whose device nobody has. Safe on every
 * replica at once: the script decides, not the schedule.
 */
@ApplicationScoped
class CommandSweep {

  private static final Logger LOG = Logger.getLogger(CommandSweep.class);

  /** How many commands of one lane are given up, and put off, in one tick. */
  private static final int BATCH = 1000;

  private static final int LANES_AT_ONCE = 16;

  /** In so many looks, the replica that has the device finds what is due. */
  private static final int LOOKS_OF_GRACE = 8;

  private final CommandStore commands;
  private final CommandSettings settings;
  private final Lanes lanes;
  private final Entropy entropy;
  private final MeterRegistry metrics;

  CommandSweep(
      CommandStore commands,
      CommandSettings settings,
      Lanes lanes,
      Entropy entropy,
      MeterRegistry metrics) {
    this.commands = commands;
    this.settings = settings;
    this.lanes = lanes;
    this.entropy = entropy;
    this.metrics = metrics;
    metrics.counter("fencepost.command.unreadable");
  }

  @Scheduled(
      every = "${fencepost.agenda.sweep-every:1s}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> sweep() {
    return Multi.createFrom()
        .iterable(lanes.allFrom((int) (entropy.fraction() * lanes.count())))
        .onItem()
        .transformToUni(this::sweep)
        .merge(LANES_AT_ONCE)
        .collect()
        .last()
        .replaceWithVoid()
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(this::nextTime);
  }

  private Uni<Void> sweep(Lane lane) {
    return Uni.combine()
        .all()
        .unis(commands.expired(lane, BATCH), commands.due(lane, BATCH))
        .asTuple()
        .flatMap(both -> giveUp(both.getItem1()).flatMap(done -> putOff(lane, both.getItem2())));
  }

  private Uni<Void> giveUp(List<CommandKeys> expired) {
    return Multi.createFrom()
        .iterable(expired)
        .onItem()
        .transformToUniAndConcatenate(this::giveUp)
        .collect()
        .last()
        .replaceWithVoid();
  }

  private Uni<Void> giveUp(CommandKeys keys) {
    return commands
        .report(keys, Report.EXPIRED, null, null)
        .replaceWithVoid()
        .onFailure(CommandSweep::isTheCommands)
        .recoverWithUni(broken -> leave(keys, broken));
  }

  private Uni<Void> putOff(Lane lane, List<CommandKeys> due) {
    return commands.park(lane, due, settings.lookEvery().multipliedBy(LOOKS_OF_GRACE));
  }

  /** Only an absent Redis ends a sweep; whatever else goes wrong is wrong with this one command. */
  private static boolean isTheCommands(Throwable failure) {
    return !(failure instanceof RedisUnavailable);
  }

  private Uni<Void> leave(CommandKeys keys, Throwable broken) {
    LOG.errorf(broken, "command %s cannot be given up", keys.commandId());
    metrics.counter("fencepost.command.unreadable").increment();
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> nextTime(Throwable away) {
    LOG.warnf("sweep of commands cut short: %s", away.getMessage());
    metrics.counter("fencepost.sweeps.cut.short").increment();
    return Uni.createFrom().voidItem();
  }
}
