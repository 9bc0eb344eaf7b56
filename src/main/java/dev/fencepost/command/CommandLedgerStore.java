package dev.fencepost.command;

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

/**
 * Keeps commands for ever, by the fields that Redis has of them, in PostgreSQL. Fails with {@code
 * Refused(UNAVAILABLE)} while that does not answer.
 */
@ApplicationScoped
class CommandLedgerStore {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String PUT =
      """
      INSERT INTO command_view (command_id, device_id, created_ms, fields) VALUES ($1, $2, $3, $4)
      ON CONFLICT (command_id) DO UPDATE SET fields = command_view.fields || excluded.fields
      """;

  private static final String CHANGE =
      "UPDATE command_view SET fields = fields || $2 WHERE command_id = $1";

  private static final String FIND =
      "SELECT command_id, created_ms, fields FROM command_view WHERE command_id = $1";

  private static final String LIST =
      """
      SELECT command_id, created_ms, fields FROM command_view
      WHERE device_id = $1 AND (created_ms, command_id) < ($2, $3)
      ORDER BY created_ms DESC, command_id DESC LIMIT $4
      """;

  private final Pool pool;

  CommandLedgerStore(Pool pool) {
    this.pool = pool;
  }

  /** Writes what is known of commands, within someone's transaction. */
  Uni<Void> put(List<CommandChange> changes, SqlConnection transaction) {
    var whole = changes.stream().filter(CommandChange::isWhole).map(CommandLedgerStore::whole);
    var parts = changes.stream().filter(c -> !c.isWhole()).map(CommandLedgerStore::part);
    return execute(PUT, whole.toList(), transaction)
        .flatMap(done -> execute(CHANGE, parts.toList(), transaction));
  }

  private static Uni<Void> execute(String statement, List<Tuple> rows, SqlConnection transaction) {
    return rows.isEmpty()
        ? Uni.createFrom().voidItem()
        : transaction.preparedQuery(statement).executeBatch(rows).replaceWithVoid();
  }

  private static Tuple whole(CommandChange change) {
    return Tuple.of(
        change.commandId(),
        change.fields().get("device_id"),
        change.createdMillis(),
        new JsonObject(Map.copyOf(change.fields())));
  }

  private static Tuple part(CommandChange change) {
    return Tuple.of(change.commandId(), new JsonObject(Map.copyOf(change.fields())));
  }

  Uni<Optional<Command>> find(String commandId) {
    return run(FIND, Tuple.of(commandId)).map(found -> found.values().stream().findFirst());
  }

  /** A device's commands by their places in its list, at most so many after a place. */
  Uni<Map<PageCursor, Command>> ofDevice(String deviceId, PageCursor after, int most) {
    return run(LIST, Tuple.of(deviceId, after.millis(), after.member(), most));
  }

  private Uni<Map<PageCursor, Command>> run(String statement, Tuple values) {
    return pool.preparedQuery(statement)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of older commands"))
        .map(CommandLedgerStore::commands);
  }

  private static Map<PageCursor, Command> commands(RowSet<Row> rows) {
    var found = new HashMap<PageCursor, Command>();
    rows.forEach(
        row ->
            found.put(
                new PageCursor(row.getLong("created_ms"), row.getString("command_id")),
                command(row.getJsonObject("fields"))));
    return found;
  }

  private static Command command(JsonObject fields) {
    var hash = new HashMap<String, String>();
    fields.forEach(field -> hash.put(field.getKey(), (String) field.getValue()));
    return CommandHash.read(hash);
  }
}
