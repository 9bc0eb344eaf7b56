package dev.fencepost.asset;

import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.postgres.PostgresAway;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Assets and inventories in PostgreSQL. Every write is one statement, so it happens whole or not at
 * all. Fails with {@code Refused(UNAVAILABLE)} while PostgreSQL does not answer.
 */
@ApplicationScoped
public class AssetStore {

  /** How long a caller waits for PostgreSQL; each statement here takes milliseconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String COLUMNS =
      "asset_id, display_name, address, exposure, criticality, labels, created_at, updated_at";

  private static final String FIND = "SELECT " + COLUMNS + " FROM asset WHERE asset_id = $1";

  private static final String FIND_BOTH =
      """
      SELECT asset.*, inventory.components, inventory.updated_at AS reported_at
      FROM asset LEFT JOIN inventory USING (asset_id) WHERE asset_id = $1
      """;

  // xmax is 0 in a row that this statement inserted, and this transaction's id in one it updated.
  private static final String PUT =
      """
      INSERT INTO asset (%1$s) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (asset_id) DO UPDATE SET
        display_name = excluded.display_name, address = excluded.address,
        exposure = excluded.exposure, criticality = excluded.criticality,
        labels = excluded.labels, updated_at = excluded.updated_at
      RETURNING %1$s, xmax = 0 AS created
      """
          .formatted(COLUMNS);

  private static final String DELETE = "DELETE FROM asset WHERE asset_id = $1";

  // The row lock holds off a concurrent DELETE until the inventory stands, and then takes it along.
  private static final String PUT_INVENTORY =
      """
      INSERT INTO inventory (asset_id, components, updated_at)
      SELECT asset_id, $2, $3 FROM asset WHERE asset_id = $1 FOR KEY SHARE
      ON CONFLICT (asset_id) DO UPDATE
      SET components = excluded.components, updated_at = excluded.updated_at
      """;

  private static final String INVENTORY =
      "SELECT components, updated_at FROM inventory WHERE asset_id = $1";

  /** In characters: some hundred components. */
  private static final int SHORT_COLUMN = 8_000;

  private final Pool pool;

  AssetStore(Pool pool) {
    this.pool = pool;
  }

  /**
   * What a put left behind.
   *
   * @param created whether there was no such asset before
   */
  public record Stored(Asset asset, boolean created) {}

  /** The asset of this id, or empty. */
  public Uni<Optional<Asset>> find(String assetId) {
    return run(FIND, Tuple.of(assetId)).map(rows -> first(rows).map(AssetStore::asset));
  }

  /** The asset of this id together with its inventory, if it has one; empty if there is none. */
  public <T> Uni<Optional<T>> find(
      String assetId, BiFunction<Asset, Optional<Inventory>, T> together) {
    return run(FIND_BOTH, Tuple.of(assetId))
        .flatMap(
            rows ->
                reading(
                    rows,
                    row ->
                        Optional.of(
                            together.apply(
                                asset(row),
                                inventory(row, row.getOffsetDateTime("reported_at"))))));
  }

  /**
   * Assets in the order of their ids that carry all of the labels.
   *
   * @param after the id the list starts behind; null to start at the beginning
   * @param limit at most this many
   */
  Uni<List<Asset>> list(List<Label> labels, @Nullable String after, int limit) {
    var values = Tuple.of(after == null ? "" : after, limit);
    labels.forEach(label -> values.addJsonObject(JsonObject.of(label.key(), label.value())));
    return run(listing(labels.size()), values)
        .map(rows -> stream(rows).map(AssetStore::asset).toList());
  }

  /** Creates or replaces an asset; one that is replaced keeps the time it was created. */
  public Uni<Stored> put(Asset asset) {
    return run(PUT, values(asset))
        .map(rows -> rows.iterator().next())
        .map(row -> new Stored(asset(row), row.getBoolean("created")));
  }

  /** Removes an asset and its inventory; false if there was none. */
  public Uni<Boolean> delete(String assetId) {
    return run(DELETE, Tuple.of(assetId)).map(rows -> rows.rowCount() > 0);
  }

  /** What the asset carries as last reported; empty if nothing was, or there is no such asset. */
  public Uni<Optional<Inventory>> inventory(String assetId) {
    return run(INVENTORY, Tuple.of(assetId))
        .flatMap(rows -> reading(rows, row -> inventory(row, row.getOffsetDateTime("updated_at"))));
  }

  /** Replaces what the asset carries; false if there is no such asset. */
  public Uni<Boolean> putInventory(String assetId, Inventory inventory) {
    return OffTheLoop.compute(() -> ComponentColumn.write(inventory.components()))
        .flatMap(
            components ->
                run(PUT_INVENTORY, Tuple.of(assetId, components, utc(inventory.updatedAt()))))
        .map(rows -> rows.rowCount() > 0);
  }

  /** The way to another thread and back costs more than a short inventory. */
  private static <T> Uni<Optional<T>> reading(RowSet<Row> rows, Function<Row, Optional<T>> read) {
    var isLong =
        first(rows).map(row -> row.getString("components")).filter(AssetStore::isLong).isPresent();
    Supplier<Optional<T>> whole = () -> first(rows).flatMap(read);
    return isLong ? OffTheLoop.compute(whole) : Uni.createFrom().item(whole);
  }

  private static boolean isLong(String components) {
    return components.length() > SHORT_COLUMN;
  }

  private Uni<RowSet<Row>> run(String statement, Tuple values) {
    return pool.preparedQuery(statement)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of assets"));
  }

  private static String listing(int labels) {
    return IntStream.range(0, labels)
        .mapToObj(i -> " AND labels @> $" + (i + 3))
        .collect(
            Collectors.joining(
                "",
                "SELECT " + COLUMNS + " FROM asset WHERE asset_id > $1",
                " ORDER BY asset_id LIMIT $2"));
  }

  private static Tuple values(Asset asset) {
    return Tuple.tuple()
        .addString(asset.assetId())
        .addString(asset.displayName())
        .addString(AssetAddress.write(asset.address()))
        .addString(EnumWord.of(asset.exposure()))
        .addString(EnumWord.of(asset.criticality()))
        .addJsonObject(new JsonObject(new HashMap<>(asset.labels())))
        .addOffsetDateTime(utc(asset.createdAt()))
        .addOffsetDateTime(utc(asset.updatedAt()));
  }

  private static Asset asset(Row row) {
    var criticality = row.getString("criticality");
    return new Asset(
        row.getString("asset_id"),
        row.getString("display_name"),
        AssetAddress.read(row.getString("address")),
        word(Exposure.class, row.getString("exposure")),
        criticality == null ? null : word(Criticality.class, criticality),
        labels(row.getJsonObject("labels")),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getOffsetDateTime("updated_at").toInstant());
  }

  private static Optional<Inventory> inventory(Row row, @Nullable OffsetDateTime reportedAt) {
    return Optional.ofNullable(reportedAt)
        .map(
            at -> new Inventory(ComponentColumn.read(row.getString("components")), at.toInstant()));
  }

  private static <E extends Enum<E>> E word(Class<E> type, String text) {
    return EnumWord.read(type, text).orElseThrow();
  }

  private static Map<String, String> labels(JsonObject labels) {
    return labels.stream()
        .collect(Collectors.toMap(Map.Entry::getKey, label -> (String) label.getValue()));
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  private static Optional<Row> first(RowSet<Row> rows) {
    return stream(rows).findFirst();
  }

  private static Stream<Row> stream(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false);
  }
}
