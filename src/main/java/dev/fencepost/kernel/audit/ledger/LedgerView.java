package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.platform.postgres.PostgresAway;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads the chains. Fails with {@code Refused(UNAVAILABLE)} while PostgreSQL does not answer. */
@ApplicationScoped
class LedgerView {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String HEADS =
      "SELECT lane, sequence, hash, stream_id, at FROM audit_head ORDER BY lane";

  private static final String WALK =
      "SELECT "
          + EventColumns.ALL
          + " FROM audit_event WHERE lane = $1 AND (sequence, at) > ($2, $3) AND sequence <= $4"
          + " ORDER BY sequence, at LIMIT $5";

  private static final String UNTIL =
      "SELECT "
          + EventColumns.ALL
          + " FROM audit_event WHERE lane = $1 AND sequence > $2 AND at < $3"
          + " ORDER BY sequence, at LIMIT $4";

  private static final String LINKED =
      "SELECT "
          + EventColumns.ALL
          + " FROM audit_event WHERE lane = $1 AND previous_hash = $2 ORDER BY sequence DESC LIMIT"
          + " 1";

  private static final String BEYOND =
      """
      SELECT e.sequence FROM audit_event e JOIN audit_head h ON h.lane = e.lane
      WHERE e.lane = $1 AND e.sequence > h.sequence ORDER BY e.sequence LIMIT 1
      """;

  static final String LOST_PARTITIONS =
      """
      SELECT name FROM audit_partition
      WHERE NOT archived AND (to_regclass(name) IS NULL OR to_regclass(name)::oid <> oid)
      ORDER BY name
      """;

  private final Pool pool;

  LedgerView(Pool pool) {
    this.pool = pool;
  }

  Uni<List<RecordedEvent>> events(EventQuery query) {
    return run(query.statement(), query.values())
        .map(rows -> stream(rows).map(EventColumns::event).toList());
  }

  Uni<List<Head>> heads() {
    return run(HEADS, Tuple.tuple()).map(rows -> stream(rows).map(LedgerStore::head).toList());
  }

  /** The next events in the order of their sequences, two of one sequence both. */
  Uni<List<RecordedEvent>> walk(int lane, long after, Instant at, long until, int most) {
    return run(WALK, Tuple.of(lane, after, at.atOffset(ZoneOffset.UTC), until, most))
        .map(rows -> stream(rows).map(EventColumns::event).toList());
  }

  /** The next events of a lane that happened before a time. */
  Uni<List<RecordedEvent>> until(int lane, long after, Instant end, int most) {
    return run(UNTIL, Tuple.of(lane, after, end.atOffset(ZoneOffset.UTC), most))
        .map(rows -> stream(rows).map(EventColumns::event).toList());
  }

  /** The event that follows one with this hash. */
  Uni<Optional<RecordedEvent>> linkedTo(int lane, String hash) {
    return run(LINKED, Tuple.of(lane, hash))
        .map(rows -> stream(rows).findFirst().map(EventColumns::event));
  }

  /** The first event behind the head, where there must be none. */
  Uni<Optional<Long>> beyondHead(int lane) {
    return run(BEYOND, Tuple.of(lane))
        .map(rows -> stream(rows).findFirst().map(row -> row.getLong("sequence")));
  }

  /** Partitions that were dropped by someone else than the archive. */
  Uni<List<String>> lostPartitions() {
    return run(LOST_PARTITIONS, Tuple.tuple())
        .map(rows -> stream(rows).map(row -> row.getString("name")).toList());
  }

  private Uni<RowSet<Row>> run(String statement, Tuple values) {
    return pool.preparedQuery(statement)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of history"));
  }

  private static Stream<Row> stream(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false);
  }
}
