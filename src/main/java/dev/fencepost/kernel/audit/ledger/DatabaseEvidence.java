package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** History in the database, read as it is, in one snapshot. Blocks. */
final class DatabaseEvidence implements Evidence {

  private static final int ROWS_AT_ONCE = 1000;
  private static final String EVENTS = "SELECT " + EventColumns.ALL + " FROM audit_event WHERE ";

  private final Connection connection;

  private DatabaseEvidence(Connection connection) {
    this.connection = connection;
  }

  static DatabaseEvidence open(String url, Properties login) throws SQLException {
    var connection = connect(url, login);
    connection.setAutoCommit(false);
    connection.setReadOnly(true);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    return new DatabaseEvidence(connection);
  }

  /** Before Quarkus has started, nobody has registered the driver. */
  private static Connection connect(String url, Properties login) throws SQLException {
    try {
      Class.forName("org.postgresql.Driver");
      return DriverManager.getConnection(url, login);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("this build has no driver for PostgreSQL", e);
    }
  }

  /** Reads one row. */
  private interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  @Override
  public Set<Integer> lanes() {
    return new TreeSet<>(
        rows(
            "SELECT lane FROM audit_head UNION SELECT DISTINCT lane FROM audit_event",
            row -> row.getInt(1)));
  }

  @Override
  public Head anchor(int lane, Seals seals) {
    return seals.endOf(lane);
  }

  @Override
  public List<Checkpoint> seals() {
    return rows(ArchiveStore.SEALS, row -> checkpoint(Checkpoint.OF_AN_ARCHIVE, row));
  }

  @Override
  public long headSequence(int lane) {
    return rows("SELECT sequence FROM audit_head WHERE lane = ?", row -> row.getLong(1), lane)
        .stream()
        .findFirst()
        .orElse(0L);
  }

  @Override
  public void walk(Head anchor, Predicate<RecordedEvent> taker) {
    var sql = EVENTS + "lane = ? AND sequence > ? ORDER BY sequence, at";
    try (var statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(ROWS_AT_ONCE);
      bind(statement, anchor.lane(), anchor.sequence());
      try (var rows = statement.executeQuery()) {
        while (rows.next() && taker.test(event(rows))) {
          // the taker says when it is enough
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(
          "cannot read lane " + anchor.lane() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<RecordedEvent> linkedTo(int lane, String hash) {
    return rows(
            EVENTS + "lane = ? AND previous_hash = ? ORDER BY sequence DESC LIMIT 1",
            DatabaseEvidence::event,
            lane,
            hash)
        .stream()
        .findFirst();
  }

  @Override
  public List<String> lostPartitions() {
    return rows(LedgerView.LOST_PARTITIONS, row -> row.getString(1));
  }

  @Override
  public List<Checkpoint> checkpoints() {
    return rows(
        "SELECT number, made_at, payload, kid, algorithm, signature, public_key"
            + " FROM audit_checkpoint ORDER BY number",
        row -> checkpoint(row.getLong("number"), row));
  }

  private static Checkpoint checkpoint(long number, ResultSet row) throws SQLException {
    return new Checkpoint(
        number,
        row.getObject("made_at", OffsetDateTime.class).toInstant(),
        row.getString("payload"),
        row.getString("kid"),
        row.getString("algorithm"),
        row.getString("signature"),
        row.getString("public_key"));
  }

  private <T> List<T> rows(String sql, Reader<T> reader, Object... values) {
    try (var statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (var rows = statement.executeQuery()) {
        var read = new ArrayList<T>();
        while (rows.next()) {
          read.add(reader.read(rows));
        }
        return read;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the ledger: " + e.getMessage(), e);
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (var i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  private static RecordedEvent event(ResultSet row) throws SQLException {
    return new RecordedEvent(
        row.getString("event_id"),
        row.getLong("sequence"),
        row.getInt("lane"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        row.getString("trace_id"),
        row.getString("service_name"),
        row.getString("user_id"),
        row.getString("action"),
        row.getString("resource_type"),
        row.getString("resource_id"),
        row.getString("outcome"),
        token(row),
        row.getString("details"),
        row.getString("ip_address"),
        row.getString("user_agent"),
        row.getString("previous_hash"),
        row.getString("hash"),
        row.getInt("version"));
  }

  private static @Nullable Long token(ResultSet row) throws SQLException {
    return row.getObject("fencing_token", Long.class);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot close the connection", e);
    }
  }
}
