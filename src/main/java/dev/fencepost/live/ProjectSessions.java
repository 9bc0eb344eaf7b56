package dev.fencepost.live;

import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.fence.Lane;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps sessions in PostgreSQL as they stand whenever the ledger takes events about them. What
 * Redis has forgotten by then is told from the events themselves.
 */
@ApplicationScoped
class ProjectSessions implements ReadModel {

  private static final int READS_AT_ONCE = 32;
  private static final Set<String> ACTIONS =
      Set.of("LIVE_STARTED", "LIVE_STOP_REQUESTED", "LIVE_STOPPED");

  private final LiveViewStore sessions;
  private final LiveLedgerStore ledger;

  ProjectSessions(LiveViewStore sessions, LiveLedgerStore ledger) {
    this.sessions = sessions;
    this.ledger = ledger;
  }

  @Override
  public Uni<Change> prepare(Batch batch) {
    var touched = batch.events().stream().filter(ProjectSessions::changes).toList();
    return Multi.createFrom()
        .iterable(touched.stream().map(ProjectSessions::keys).distinct().toList())
        .onItem()
        .transformToUni(sessions::fields)
        .merge(READS_AT_ONCE)
        .filter(hash -> !hash.isEmpty())
        .map(SessionChange::whole)
        .collect()
        .asList()
        .map(
            known -> {
              var changes = ordered(known, touched);
              return transaction -> ledger.put(changes, transaction);
            });
  }

  private static boolean changes(RecordedEvent event) {
    return event.resourceType().equals("device")
        && event.outcome().equals("accepted")
        && ACTIONS.contains(event.action())
        && !details(event).getOrDefault("session_id", "").isEmpty();
  }

  /** Redis' word for those it knows; for the others that of the events, folded into one. */
  private static List<SessionChange> ordered(
      List<SessionChange> known, List<RecordedEvent> touched) {
    var bySession = new HashMap<String, SessionChange>();
    known.forEach(change -> bySession.put(change.deviceId() + " " + change.sessionId(), change));
    var forgotten = new HashMap<String, SessionChange>();
    for (var event : touched) {
      var session = keys(event).member();
      if (!bySession.containsKey(session)) {
        SessionChange.of(
                event.action(),
                event.resourceId(),
                details(event),
                event.timestamp().toEpochMilli())
            .ifPresent(change -> forgotten.merge(session, change, ProjectSessions::both));
      }
    }
    bySession.putAll(forgotten);
    return List.copyOf(bySession.values());
  }

  private static SessionChange both(SessionChange earlier, SessionChange later) {
    var fields = new HashMap<>(earlier.fields());
    fields.putAll(later.fields());
    return new SessionChange(earlier.deviceId(), earlier.sessionId(), fields);
  }

  private static SessionKeys keys(RecordedEvent event) {
    return new SessionKeys(
        new Lane(event.lane()), event.resourceId(), details(event).getOrDefault("session_id", ""));
  }

  private static Map<String, String> details(RecordedEvent event) {
    var details = new HashMap<String, String>();
    new JsonObject(event.details())
        .forEach(detail -> details.put(detail.getKey(), String.valueOf(detail.getValue())));
    return details;
  }
}
