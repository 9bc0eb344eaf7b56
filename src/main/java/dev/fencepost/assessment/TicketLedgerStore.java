package dev.fencepost.assessment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Keeps tickets for ever, as clients see them, in PostgreSQL. Fails with {@code
 * Refused(UNAVAILABLE)} while that does not answer.
 */
@ApplicationScoped
class TicketLedgerStore {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String PUT =
      """
      INSERT INTO ticket_view (ticket_id, ulid, asset_id, status, updated_at, answer)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (ticket_id) DO UPDATE SET
        status = excluded.status, updated_at = excluded.updated_at, answer = excluded.answer
      """;

  /** The count stands last in an answer. */
  private static final String COUNT =
      """
      UPDATE ticket_view SET answer = regexp_replace(answer, '[0-9]+}$', $2::bigint || '}')
      WHERE ticket_id = $1
      """;

  private static final String FIND = "SELECT answer FROM ticket_view WHERE ticket_id = $1";

  private static final String LIST = "SELECT answer FROM ticket_view WHERE ulid < $1";

  private final Pool pool;
  private final ObjectMapper json;

  TicketLedgerStore(Pool pool, ObjectMapper json) {
    this.pool = pool;
    // An older build may have written what this one does not know any more.
    this.json = json.copy().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  }

  /** Writes tickets as they stand, within someone's transaction. */
  Uni<Void> put(List<TicketAnswer> tickets, SqlConnection transaction) {
    return execute(PUT, tickets.stream().map(this::values).toList(), transaction);
  }

  /** Writes how many writes were refused, where that is all that is known of a ticket. */
  Uni<Void> count(Map<String, Long> refusals, SqlConnection transaction) {
    return execute(
        COUNT,
        refusals.entrySet().stream().map(e -> Tuple.of(e.getKey(), e.getValue())).toList(),
        transaction);
  }

  private static Uni<Void> execute(String statement, List<Tuple> rows, SqlConnection transaction) {
    return rows.isEmpty()
        ? Uni.createFrom().voidItem()
        : transaction.preparedQuery(statement).executeBatch(rows).replaceWithVoid();
  }

  private Tuple values(TicketAnswer ticket) {
    return Tuple.of(
        ticket.ticketId(),
        TicketQuery.ulidOf(ticket.ticketId()),
        ticket.assetId(),
        ticket.status().name(),
        ticket.updatedAt().atOffset(ZoneOffset.UTC),
        text(ticket));
  }

  private String text(TicketAnswer ticket) {
    try {
      return json.writeValueAsString(ticket);
    } catch (JsonProcessingException e) {
      throw new AssertionError("a ticket is plain data", e);
    }
  }

  Uni<Optional<TicketAnswer>> find(String ticketId) {
    return run(FIND, Tuple.of(ticketId)).map(found -> found.stream().findFirst());
  }

  /** The newest that fit, at most so many. */
  Uni<List<TicketAnswer>> list(TicketQuery query, int most) {
    var statement = new StringBuilder(LIST);
    var values = Tuple.of(query.before());
    if (query.assetId() != null) {
      values.addString(query.assetId());
      statement.append(" AND asset_id = $").append(values.size());
    }
    if (query.status() != null) {
      values.addString(query.status().name());
      statement.append(" AND status = $").append(values.size());
    }
    return run(statement.append(" ORDER BY ulid DESC LIMIT ").append(most).toString(), values);
  }

  private Uni<List<TicketAnswer>> run(String statement, Tuple values) {
    return pool.preparedQuery(statement)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure(PostgresAway::isCause)
        .transform(away -> PostgresAway.refusal("the store of older tickets"))
        .map(this::answers);
  }

  private List<TicketAnswer> answers(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .map(row -> answer(row.getString("answer")))
        .toList();
  }

  private TicketAnswer answer(String text) {
    try {
      return json.readValue(text, TicketAnswer.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the ledger holds a ticket that we did not write", e);
    }
  }
}
