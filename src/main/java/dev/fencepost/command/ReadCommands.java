package dev.fencepost.command;

import static java.util.Map.Entry.comparingByKey;

import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Multi;
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

  private static final int READS_AT_ONCE = 64;

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
    var items =
        Stream.concat(offered.stream(), known.keySet().stream())
            .distinct()
            .sorted(PageCursor.NEWEST_FIRST)
            .limit(limit + 1L)
            .toList();
    var shown = items.subList(0, Math.min(limit, items.size()));
    var next = items.size() > limit ? shown.get(limit - 1).token() : null;
    return Multi.createFrom()
        .iterable(shown)
        .onItem()
        .transformToUni(place -> shown(place, known))
        .merge(READS_AT_ONCE)
        .onItem()
        .<Map.Entry<PageCursor, Command>>disjoint()
        .collect()
        .asList()
        .map(found -> new CommandPage(inOrder(found), next));
  }

  /** As Redis has it; else as the ledger does. */
  private Uni<List<Map.Entry<PageCursor, Command>>> shown(
      PageCursor place, Map<PageCursor, Command> known) {
    return commands
        .find(place.member())
        .map(
            found ->
                found.or(() -> Optional.ofNullable(known.get(place))).stream()
                    .map(command -> Map.entry(place, command))
                    .toList());
  }

  private static List<Command> inOrder(List<Map.Entry<PageCursor, Command>> found) {
    return found.stream()
        .sorted(comparingByKey(PageCursor.NEWEST_FIRST))
        .map(Map.Entry::getValue)
        .toList();
  }
}
