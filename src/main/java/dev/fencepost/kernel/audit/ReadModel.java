package dev.fencepost.kernel.audit;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;

/**
 * What a feature shows from PostgreSQL. It is written in the transaction that moves the events it
 * follows from, so it never shows more, or less, than the ledger knows.
 */
public interface ReadModel {

  /** Reads what it needs to know about a lane's new events, before the transaction begins. */
  Uni<Change> prepare(Batch batch);

  /**
   * What is new in a lane.
   *
   * @param events in order; they may be asked for again if the transaction fails
   * @param asides by the id of an event, what it carries for read models alone: how its resource
   *     stood then. Redis may have forgotten that by now, and history need not keep it
   */
  record Batch(List<RecordedEvent> events, Map<String, Map<String, String>> asides) {

    public Batch {
      events = List.copyOf(events);
      asides = Map.copyOf(asides);
    }

    /** What an event carries; nothing, mostly. */
    public Map<String, String> asideOf(RecordedEvent event) {
      return asides.getOrDefault(event.eventId(), Map.of());
    }
  }

  /** What is to be written. */
  interface Change {

    /** Nothing. */
    Change NONE = transaction -> Uni.createFrom().voidItem();

    /** Writes it. */
    Uni<Void> write(SqlConnection transaction);
  }
}
