package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.platform.postgres.PostgresAway;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Signed heads in PostgreSQL. */
@ApplicationScoped
class CheckpointStore {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String COLUMNS =
      "number, made_at, payload, kid, algorithm, signature, public_key";

  private static final String NEWEST =
      "SELECT "
          + COLUMNS
          + " FROM audit_checkpoint WHERE number < $1 ORDER BY number DESC LIMIT $2";

  private static final String PUT =
      "INSERT INTO audit_checkpoint ("
          + COLUMNS
          + ") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";

  private final Pool pool;

  CheckpointStore(Pool pool) {
    this.pool = pool;
  }

  /** Newest first, with smaller numbers than a given one. */
  Uni<List<Checkpoint>> newest(long before, int limit) {
    return pool.preparedQuery(NEWEST)
        .execute(Tuple.of(before, limit))
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of history"))
        .map(
            rows ->
                StreamSupport.stream(rows.spliterator(), false)
                    .map(CheckpointStore::checkpoint)
                    .toList());
  }

  Uni<Optional<Checkpoint>> last() {
    return newest(Long.MAX_VALUE, 1).map(found -> found.stream().findFirst());
  }

  /** False if there is one of this number already. */
  Uni<Boolean> put(Checkpoint checkpoint) {
    return pool.preparedQuery(PUT)
        .execute(
            Tuple.tuple()
                .addLong(checkpoint.number())
                .addOffsetDateTime(checkpoint.madeAt().atOffset(ZoneOffset.UTC))
                .addString(checkpoint.payload())
                .addString(checkpoint.kid())
                .addString(checkpoint.algorithm())
                .addString(checkpoint.signature())
                .addString(checkpoint.publicKey()))
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of history"))
        .map(rows -> rows.rowCount() == 1);
  }

  private static Checkpoint checkpoint(Row row) {
    return new Checkpoint(
        row.getLong("number"),
        row.getOffsetDateTime("made_at").toInstant(),
        row.getString("payload"),
        row.getString("kid"),
        row.getString("algorithm"),
        row.getString("signature"),
        row.getString("public_key"));
  }
}
