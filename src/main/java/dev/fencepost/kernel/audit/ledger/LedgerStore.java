package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.fence.FencingToken;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Writes the chains. The head of a lane moves by compare-and-set in the transaction that inserts
 * its events, so whoever is late, or a zombie, writes nothing at all.
 */
@ApplicationScoped
class LedgerStore {

  /** A batch takes tens of milliseconds; who does not answer for this long is away. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String HEAD =
      "SELECT lane, sequence, hash, stream_id, at FROM audit_head WHERE lane = $1";

  private static final String BEGIN =
      """
      INSERT INTO audit_head (lane, sequence, hash, stream_id, at, fencing_token)
      VALUES ($1, 0, $2, '0-0', 'epoch', 0) ON CONFLICT DO NOTHING
      """;

  private static final String ADVANCE =
      """
      UPDATE audit_head SET sequence = $1, hash = $2, stream_id = $3, at = $4, fencing_token = $5
      WHERE lane = $6 AND sequence = $7 AND stream_id = $8 AND fencing_token <= $5
      """;

  private static final String PROCESSES =
      "SELECT process, sequence FROM audit_process WHERE lane = $1 AND process = ANY($2)";

  private static final String PROCESS =
      """
      INSERT INTO audit_process (lane, process, sequence, at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (lane, process) DO UPDATE SET sequence = excluded.sequence, at = excluded.at
      """;

  private static final String PARTITION = "SELECT audit_partition_for($1)";

  private final Pool pool;
  private final Set<LocalDate> months = ConcurrentHashMap.newKeySet();

  LedgerStore(Pool pool) {
    this.pool = pool;
  }

  Uni<Head> head(int lane) {
    return pool.preparedQuery(HEAD)
        .execute(Tuple.of(lane))
        .map(rows -> rows.rowCount() == 0 ? Head.beginning(lane) : head(rows.iterator().next()))
        .ifNoItem()
        .after(PATIENCE)
        .fail();
  }

  static Head head(Row row) {
    return new Head(
        row.getInteger("lane"),
        row.getLong("sequence"),
        row.getString("hash"),
        StreamId.parse(row.getString("stream_id")),
        row.getOffsetDateTime("at").toInstant());
  }

  /** The newest number of each of these processes on a lane; without those that are new. */
  Uni<Map<String, Long>> processes(int lane, Collection<String> names) {
    return names.isEmpty()
        ? Uni.createFrom().item(Map.of())
        : pool.preparedQuery(PROCESSES)
            .execute(Tuple.of(lane, names.toArray(String[]::new)))
            .map(
                rows -> {
                  var known = new HashMap<String, Long>();
                  rows.forEach(row -> known.put(row.getString("process"), row.getLong("sequence")));
                  return known;
                });
  }

  /**
   * Records an extension and what follows from it, all or nothing.
   *
   * @return fails with {@link HeadMoved} if the chain does not end where it should
   */
  Uni<Void> record(Extension extension, FencingToken token, List<ReadModel.Change> changes) {
    return partitions(extension)
        .flatMap(
            there ->
                pool.withTransaction(
                    transaction ->
                        advance(transaction, extension, token)
                            .flatMap(done -> insert(transaction, extension))
                            .flatMap(done -> remember(transaction, extension))
                            .flatMap(done -> write(transaction, changes))))
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(LedgerStore::isOurs)
        .invoke(months::clear);
  }

  /** A partition may have been dropped behind our back: then it is made anew, and verify tells. */
  private static boolean isOurs(Throwable failure) {
    return !(failure instanceof HeadMoved);
  }

  /** Outside the transaction, because making one locks the whole table for a moment. */
  private Uni<Void> partitions(Extension extension) {
    var missing =
        extension.events().stream()
            .map(event -> event.timestamp().atOffset(ZoneOffset.UTC).toLocalDate())
            .flatMap(
                day -> List.of(day.withDayOfMonth(1), day.withDayOfMonth(1).plusMonths(1)).stream())
            .filter(month -> !months.contains(month))
            .collect(Collectors.toCollection(TreeSet::new));
    return Multi.createFrom()
        .iterable(missing)
        .onItem()
        .transformToUniAndConcatenate(
            month ->
                pool.preparedQuery(PARTITION)
                    .execute(Tuple.of(month))
                    .invoke(made -> months.add(month)))
        .onItem()
        .ignoreAsUni();
  }

  private static Uni<Void> advance(
      SqlConnection transaction, Extension extension, FencingToken token) {
    var before = extension.before();
    var after = extension.after();
    return transaction
        .preparedQuery(BEGIN)
        .execute(Tuple.of(before.lane(), Canonical.GENESIS))
        .flatMap(
            begun ->
                transaction
                    .preparedQuery(ADVANCE)
                    .execute(
                        Tuple.tuple()
                            .addLong(after.sequence())
                            .addString(after.hash())
                            .addString(after.streamId().toString())
                            .addOffsetDateTime(after.at().atOffset(ZoneOffset.UTC))
                            .addLong(token.value())
                            .addInteger(before.lane())
                            .addLong(before.sequence())
                            .addString(before.streamId().toString())))
        .invoke(
            moved -> {
              if (moved.rowCount() != 1) {
                throw new HeadMoved(before.lane());
              }
            })
        .replaceWithVoid();
  }

  private static Uni<Void> insert(SqlConnection transaction, Extension extension) {
    return extension.events().isEmpty()
        ? Uni.createFrom().voidItem()
        : transaction
            .preparedQuery(EventColumns.INSERT)
            .executeBatch(extension.events().stream().map(EventColumns::values).toList())
            .replaceWithVoid();
  }

  private static Uni<Void> remember(SqlConnection transaction, Extension extension) {
    var after = extension.after();
    var rows =
        new TreeMap<>(extension.processes())
            .entrySet().stream()
                .map(
                    process ->
                        Tuple.of(
                            after.lane(),
                            process.getKey(),
                            process.getValue(),
                            after.at().atOffset(ZoneOffset.UTC)))
                .toList();
    return rows.isEmpty()
        ? Uni.createFrom().voidItem()
        : transaction.preparedQuery(PROCESS).executeBatch(rows).replaceWithVoid();
  }

  private static Uni<Void> write(SqlConnection transaction, List<ReadModel.Change> changes) {
    return Multi.createFrom()
        .iterable(changes)
        .onItem()
        .transformToUniAndConcatenate(change -> change.write(transaction))
        .onItem()
        .ignoreAsUni();
  }
}
