package dev.fencepost.kernel.audit;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.List;

/**
 * What a feature shows from PostgreSQL. It is written in the transaction that moves the events it
 * follows from, so it never shows more, or less, than the ledger knows.
 */
public interface ReadModel {

  /**
   * Reads what it needs to know about a lane's new events, before the transaction begins.
   *
   * @param events of one lane, in order; they may be asked for again if the transaction fails
   */
  Uni<Change> prepare(List<RecordedEvent> events);

  /** What is to be written. */
  interface Change {

    /** Nothing. */
    Change NONE = transaction -> Uni.createFrom().voidItem();

    /** Writes it. */
    Uni<Void> write(SqlConnection transaction);
  }
}
