package dev.fencepost.live;

import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.postgres.PostgresAway;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions for ever, by the fields that Redis has of them, in PostgreSQL. Fails with {@code
 * Refused(UNAVAILABLE)} while that does not answer.
 */
@ApplicationScoped
class LiveLedgerStore {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String PUT =
      """
      INSERT INTO live_view (device_id, session_id, started_ms, member, status, fields)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (device_id, session_id) DO UPDATE SET
        status = excluded.status, fields = live_view.fields || excluded.fields
      """;

  private static final String CHANGE =
      """
      UPDATE live_view SET status = $3, fields = fields || $4
      WHERE device_id = $1 AND session_id = $2
      """;

  private static final String NEWEST =
      """
      SELECT started_ms, member, fields FROM live_view WHERE device_id = $1
      ORDER BY started_ms DESC, member DESC LIMIT 1
      """;

  private static final String LIST =
      """
      SELECT started_ms, member, fields FROM live_view
      WHERE (started_ms, member) < ($1, $2) %s ORDER BY started_ms DESC, member DESC LIMIT $3
      """;

  private final Pool pool;

  LiveLedgerStore(Pool pool) {
    this.pool = pool;
  }

  /** Writes what is known of sessions, within someone's transaction. */
  Uni<Void> put(List<SessionChange> changes, SqlConnection transaction) {
    return execute(PUT, changes.stream().filter(SessionChange::isWhole), transaction)
        .flatMap(done -> execute(CHANGE, changes.stream().filter(c -> !c.isWhole()), transaction));
  }

  private static Uni<Void> execute(
      String statement, Stream<SessionChange> changes, SqlConnection transaction) {
    var rows = changes.map(change -> statement.equals(PUT) ? whole(change) : part(change)).toList();
    return rows.isEmpty()
        ? Uni.createFrom().voidItem()
        : transaction.preparedQuery(statement).executeBatch(rows).replaceWithVoid();
  }

  private static Tuple whole(SessionChange change) {
    return Tuple.of(
        change.deviceId(),
        change.sessionId(),
        change.startedMillis(),
        change.deviceId() + " " + change.sessionId(),
        change.status(),
        new JsonObject(Map.copyOf(change.fields())));
  }

  private static Tuple part(SessionChange change) {
    return Tuple.of(
        change.deviceId(),
        change.sessionId(),
        change.status(),
        new JsonObject(Map.copyOf(change.fields())));
  }

  /** The device's newest session. */
  Uni<Optional<LiveSession>> newest(String deviceId) {
    return run(NEWEST, Tuple.of(deviceId))
        .map(
            rows ->
                rows.rowCount() == 0
                    ? Optional.empty()
                    : Optional.of(session(rows.iterator().next())));
  }

  /** Sessions by their place in the list, at most so many after a place. */
  Uni<Map<PageCursor, LiveSession>> list(@Nullable LiveStatus status, PageCursor after, int most) {
    var values = Tuple.of(after.millis(), after.member(), most);
    if (status != null) {
      values.addString(status.word());
    }
    return run(LIST.formatted(status == null ? "" : "AND status = $4"), values)
        .map(
            rows -> {
              var found = new HashMap<PageCursor, LiveSession>();
              rows.forEach(row -> found.put(place(row), session(row)));
              return found;
            });
  }

  private Uni<RowSet<Row>> run(String statement, Tuple values) {
    return pool.preparedQuery(statement)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of older sessions"));
  }

  private static PageCursor place(Row row) {
    return new PageCursor(row.getLong("started_ms"), row.getString("member"));
  }

  private static LiveSession session(Row row) {
    var fields = new HashMap<String, String>();
    row.getJsonObject("fields")
        .forEach(field -> fields.put(field.getKey(), (String) field.getValue()));
    return LiveSession.read(fields);
  }
}
