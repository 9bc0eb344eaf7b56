package dev.fencepost.command;

import dev.fencepost.platform.http.NewestFirst;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads commands from Redis, and from the ledger what Redis has forgotten. While PostgreSQL is
 * away, a list is what Redis knows.
 */
@ApplicationScoped
class ReadCommands {

  private final CommandViewStore commands;
  private final CommandLedgerStore ledger;

  ReadCommands(CommandViewStore commands, CommandLedgerStore ledger) {
    this.commands = commands;
    this.ledger = ledger;
  }

  /** One command; empty if there never was one. */
  Uni<Optional<Command>> find(String commandId) {
    return commands
        .find(commandId)
        .flatMap(
            found -> found.isPresent() ? Uni.createFrom().item(found) : ledger.find(commandId));
  }

  /** One page of a device's commands, newest first. */
  Uni<CommandPage> ofDevice(String deviceId, PageCursor after, int limit) {
    return commands
        .ofDevice(deviceId, after, limit + 1)
        .flatMap(
            offered ->
                ledger
                    .ofDevice(deviceId, after, limit + 1)
                    .onFailure(Refused.class)
                    .recoverWithItem(Map.of())
                    .flatMap(known -> page(offered, known, limit)));
  }

  private Uni<CommandPage> page(
      List<PageCursor> offered, Map<PageCursor, Command> known, int limit) {
    return NewestFirst.page(
        Stream.concat(offered.stream(), known.keySet().stream()).toList(),
        limit,
        place -> shown(place, known),
        CommandPage::new);
  }

  /** As Redis has it; else as the ledger does. */
  private Uni<Optional<Command>> shown(PageCursor place, Map<PageCursor, Command> known) {
    return commands
        .find(place.member())
        .map(found -> found.or(() -> Optional.ofNullable(known.get(place))));
  }
}
