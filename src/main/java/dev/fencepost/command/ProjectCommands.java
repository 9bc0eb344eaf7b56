package dev.fencepost.command;

import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.fence.Lane;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps commands in PostgreSQL as they stand whenever the ledger takes events about them. What
 * Redis has forgotten by then is told from the events themselves.
 */
@ApplicationScoped
class ProjectCommands implements ReadModel {

  private static final int READS_AT_ONCE = 32;
  private static final String MADE = "LIVE_STOP_REQUESTED";

  private final CommandViewStore commands;
  private final CommandLedgerStore ledger;
  private final CommandSettings settings;

  ProjectCommands(CommandViewStore commands, CommandLedgerStore ledger, CommandSettings settings) {
    this.commands = commands;
    this.ledger = ledger;
    this.settings = settings;
  }

  @Override
  public Uni<Change> prepare(Batch batch) {
    var told = new HashMap<String, CommandChange>();
    batch
        .events()
        .forEach(
            event ->
                changeOf(event)
                    .ifPresent(
                        change -> told.merge(change.commandId(), change, CommandChange::then)));
    if (told.isEmpty()) {
      return Uni.createFrom().item(Change.NONE);
    }
    var lane = new Lane(batch.events().get(0).lane());
    return Multi.createFrom()
        .iterable(told.values())
        .onItem()
        .transformToUni(change -> asItStands(lane, change))
        .merge(READS_AT_ONCE)
        .collect()
        .asList()
        .map(changes -> transaction -> ledger.put(changes, transaction));
  }

  private Uni<CommandChange> asItStands(Lane lane, CommandChange told) {
    return commands
        .fields(lane, told.commandId())
        .map(hash -> hash.isEmpty() ? told : CommandChange.whole(hash));
  }

  private Optional<CommandChange> changeOf(RecordedEvent event) {
    if (event.resourceType().equals("command")) {
      return CommandChange.of(event.action(), event.outcome(), event.resourceId(), details(event));
    }
    return event.action().equals(MADE) && event.outcome().equals("accepted")
        ? Optional.of(
            CommandChange.made(
                event.resourceId(),
                details(event),
                event.timestamp().toEpochMilli(),
                settings.expiresAfter()))
        : Optional.empty();
  }

  private static Map<String, String> details(RecordedEvent event) {
    var details = new HashMap<String, String>();
    new JsonObject(event.details())
        .forEach(detail -> details.put(detail.getKey(), String.valueOf(detail.getValue())));
    return details;
  }
}
