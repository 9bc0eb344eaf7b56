package dev.fencepost.command;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.fencepost.kernel.agenda.Sweep;
import dev.fencepost.kernel.agenda.Sweeps;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.lifecycle.Ticker;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the devices that are connected to this process: at once when they are made here
 * or their device connects, else when they are due. Where nobody can tell who is connected, as at a
 * broker, it sends what no other replica has claimed. Safe on every replica at once: whoever claims
 * a sending sends.
 */
@ApplicationScoped
public class DeliverCommands {

  /** How many due commands of one lane are looked at in one tick. */
  private static final int BATCH = 256;

  /** A device has one unfinished command per session; more than this were never heard of. */
  private static final int MOST_OUTSTANDING = 1000;

  /** So many looks are left to a replica that knows that it has the device, before one guesses. */
  private static final int LOOKS_OF_GRACE = 2;

  private final CommandStore commands;
  private final List<DeviceChannel> channels;
  private final Lanes lanes;
  private final Sweep sweep;
  private final InFlight inFlight;

  /** In how many looks a command was seen to be due, by lane; only those that may be reached. */
  private final Map<Lane, Map<CommandKeys, Integer>> passedOver = new ConcurrentHashMap<>();

  DeliverCommands(
      CommandStore commands,
      @All List<DeviceChannel> channels,
      Lanes lanes,
      Sweeps sweeps,
      InFlight inFlight) {
    this.commands = commands;
    this.channels = channels;
    this.lanes = lanes;
    this.sweep = sweeps.named("delivery of commands", "fencepost.command.undelivered");
    this.inFlight = inFlight;
  }

  void start(@Observes StartupEvent start, Ticker ticker, CommandSettings settings) {
    ticker.every(settings.lookEvery(), "delivery of commands", this::look);
  }

  /** Sends a command that was just made, if its device is here; else its agenda entry waits. */
  public void atOnce(CommandKeys made) {
    if (isHere(made.deviceId())) {
      inFlight.start("command " + made.commandId(), made::facts, deliver(List.of(made), false));
    }
  }

  /**
   * Sends what is outstanding to a device that has just connected here, oldest first.
   *
   * @param lastSeen the command it has at hand already, and with it those before; null for none
   */
  public void arrived(String deviceId, @Nullable String lastSeen) {
    inFlight.start(
        "outstanding commands of " + deviceId,
        () -> lanes.facts(deviceId),
        commands
            .outstanding(deviceId, MOST_OUTSTANDING)
            .map(outstanding -> after(lastSeen, outstanding))
            .flatMap(rest -> deliver(rest, true)));
  }

  private static List<CommandKeys> after(@Nullable String lastSeen, List<CommandKeys> outstanding) {
    var seen = outstanding.stream().map(CommandKeys::commandId).toList().indexOf(lastSeen);
    return outstanding.subList(seen + 1, outstanding.size());
  }

  /** Looks for due commands of connected devices in every lane. */
  Uni<Void> look() {
    return channels.stream().allMatch(DeviceChannel::isIdle)
        ? Uni.createFrom().voidItem()
        : sweep.lanes(this::look).replaceWithVoid();
  }

  private Uni<Void> look(Lane lane) {
    return commands
        .due(lane, BATCH)
        .map(due -> ripe(lane, due))
        .flatMap(due -> deliver(due, false));
  }

  private List<CommandKeys> ripe(Lane lane, List<CommandKeys> due) {
    var before = passedOver.getOrDefault(lane, Map.of());
    var seen =
        due.stream()
            .filter(keys -> mayBeReached(keys.deviceId()))
            .collect(toUnmodifiableMap(keys -> keys, keys -> before.getOrDefault(keys, 0) + 1));
    passedOver.put(lane, seen);
    return due.stream()
        .filter(keys -> isHere(keys.deviceId()) || seen.getOrDefault(keys, 0) > LOOKS_OF_GRACE)
        .toList();
  }

  private boolean mayBeReached(String deviceId) {
    return channels.stream().anyMatch(channel -> channel.mayReach(deviceId));
  }

  boolean isHere(String deviceId) {
    return channels.stream().anyMatch(channel -> channel.isConnected(deviceId));
  }

  private Uni<Void> deliver(List<CommandKeys> some, boolean arrived) {
    return sweep.each(some, CommandKeys::facts, keys -> deliver(keys, arrived));
  }

  private Uni<Void> deliver(CommandKeys keys, boolean arrived) {
    return commands
        .claim(keys, arrived)
        .flatMap(claimed -> claimed.map(this::send).orElseGet(() -> Uni.createFrom().voidItem()));
  }

  private Uni<Void> send(Command command) {
    return Multi.createFrom()
        .iterable(channels)
        .filter(channel -> channel.mayReach(command.deviceId()))
        .onItem()
        .transformToUniAndConcatenate(channel -> channel.send(command))
        .collect()
        .last()
        .replaceWithVoid();
  }
}
