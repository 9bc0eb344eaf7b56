package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.platform.postgres.PostgresAway;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Takes archived months out of PostgreSQL: the seal is recorded and the table dropped in one
 * transaction, which only the newest holder can make.
 */
@ApplicationScoped
class ArchiveStore {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String OLDEST =
      "SELECT month, name FROM audit_partition WHERE NOT archived ORDER BY month LIMIT 1";

  static final String SEALS =
      "SELECT made_at, payload, kid, algorithm, signature, public_key FROM audit_archive"
          + " ORDER BY month, made_at";

  private static final String NAMES = "SELECT name FROM audit_archive";

  private static final String CLAIM =
      """
      UPDATE audit_partition SET archived = true, fencing_token = $2
      WHERE month = $1 AND NOT archived AND fencing_token < $2
      """;

  private static final String PUT =
      """
      INSERT INTO audit_archive (
        name, month, made_at, events, sha256, payload, kid, algorithm, signature, public_key)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """;

  private final Pool pool;

  ArchiveStore(Pool pool) {
    this.pool = pool;
  }

  /** The oldest month that is still here. */
  Uni<Optional<Partition>> oldest() {
    return run(OLDEST)
        .map(
            rows ->
                stream(rows)
                    .findFirst()
                    .map(row -> new Partition(row.getLocalDate("month"), row.getString("name"))));
  }

  /** What was signed of the months that left, oldest first. */
  Uni<List<Checkpoint>> seals() {
    return run(SEALS).map(rows -> stream(rows).map(ArchiveStore::seal).toList());
  }

  /** The files of months that left. */
  Uni<Set<String>> names() {
    return run(NAMES)
        .map(rows -> stream(rows).map(row -> row.getString("name")).collect(Collectors.toSet()));
  }

  /**
   * Records an archive and drops its table, all or nothing.
   *
   * @return fails if a newer holder was faster, or if the month has grown since it was read
   */
  Uni<Void> cut(ArchivedMonth archived, FencingToken token) {
    return pool.withTransaction(
            transaction ->
                transaction
                    .preparedQuery(CLAIM)
                    .execute(Tuple.of(archived.month(), token.value()))
                    .invoke(claimed -> require(claimed.rowCount() == 1, archived, "has left"))
                    .flatMap(done -> isWhole(archived, transaction))
                    .flatMap(done -> put(archived, transaction))
                    .flatMap(done -> drop(archived, transaction)))
        .ifNoItem()
        .after(PATIENCE)
        .fail();
  }

  /** A lane that is late may have brought more of the month; from here on none can. */
  private static Uni<Void> isWhole(ArchivedMonth archived, SqlConnection transaction) {
    return transaction
        .query("SET LOCAL lock_timeout = '5s'")
        .execute()
        .flatMap(
            done ->
                transaction
                    .query("LOCK TABLE %s IN SHARE MODE".formatted(archived.partition()))
                    .execute())
        .flatMap(
            done ->
                transaction
                    .query("SELECT count(*) AS events FROM " + archived.partition())
                    .execute())
        .map(rows -> rows.iterator().next().getLong("events"))
        .invoke(events -> require(events == archived.events(), archived, "has grown"))
        .replaceWithVoid();
  }

  private static void require(boolean condition, ArchivedMonth archived, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(
          "%s %s meanwhile; nothing was cut".formatted(archived.partition(), otherwise));
    }
  }

  private static Uni<Void> put(ArchivedMonth archived, SqlConnection transaction) {
    var seal = archived.seal();
    return transaction
        .preparedQuery(PUT)
        .execute(
            Tuple.tuple()
                .addString(archived.name())
                .addLocalDate(archived.month())
                .addOffsetDateTime(seal.madeAt().atOffset(ZoneOffset.UTC))
                .addLong(archived.events())
                .addString(archived.sha256())
                .addString(seal.payload())
                .addString(seal.kid())
                .addString(seal.algorithm())
                .addString(seal.signature())
                .addString(seal.publicKey()))
        .replaceWithVoid();
  }

  private static Uni<Void> drop(ArchivedMonth archived, SqlConnection transaction) {
    return transaction.query("DROP TABLE " + archived.partition()).execute().replaceWithVoid();
  }

  private static Checkpoint seal(Row row) {
    return new Checkpoint(
        Checkpoint.OF_AN_ARCHIVE,
        row.getOffsetDateTime("made_at").toInstant(),
        row.getString("payload"),
        row.getString("kid"),
        row.getString("algorithm"),
        row.getString("signature"),
        row.getString("public_key"));
  }

  private Uni<RowSet<Row>> run(String statement) {
    return pool.query(statement)
        .execute()
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
