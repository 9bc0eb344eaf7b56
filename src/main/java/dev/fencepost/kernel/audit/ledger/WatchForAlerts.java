package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.ReadModel;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts, in the transaction that records events, whether they are too many, and begins or prolongs
 * an episode. An episode ends when nothing happened for a window. A mistake in a rule stops the
 * start.
 */
@Startup
@ApplicationScoped
class WatchForAlerts implements ReadModel {

  private static final String COUNT =
      "SELECT count(*) AS events, min(at) AS since FROM audit_event"
          + " WHERE action = $1 AND ($2::text IS NULL OR outcome = $2)"
          + " AND at > $4 AND at <= $5 AND %s = $3";

  private static final String EPISODE =
      """
      INSERT INTO audit_alert AS known (rule, subject, first_at, last_at, events, told)
      VALUES ($1, $2, $3, $4, $5, false)
      ON CONFLICT (rule, subject) DO UPDATE SET
        first_at = CASE WHEN known.last_at < $6 THEN excluded.first_at ELSE known.first_at END,
        events = CASE WHEN known.last_at < $6 THEN excluded.events ELSE known.events END,
        told = known.told AND known.last_at >= $6,
        last_at = greatest(known.last_at, excluded.last_at)
      """;

  private final List<AlertRule> rules;

  WatchForAlerts(AuditSettings settings) {
    this.rules =
        settings.alerts().entrySet().stream()
            .map(rule -> AlertRule.of(rule.getKey(), rule.getValue()))
            .toList();
  }

  /** Someone who did something that a rule counts, and when last. */
  private record Suspect(AlertRule rule, String subject) {}

  @Override
  public Uni<Change> prepare(Batch batch) {
    var suspects = new HashMap<Suspect, Instant>();
    for (var event : batch.events()) {
      for (var rule : rules) {
        rule.subjectOf(event)
            .ifPresent(subject -> suspects.put(new Suspect(rule, subject), event.timestamp()));
      }
    }
    return Uni.createFrom()
        .item(suspects.isEmpty() ? Change.NONE : transaction -> judge(suspects, transaction));
  }

  private static Uni<Void> judge(Map<Suspect, Instant> suspects, SqlConnection transaction) {
    return Multi.createFrom()
        .iterable(suspects.entrySet())
        .onItem()
        .transformToUniAndConcatenate(
            suspect -> judge(suspect.getKey(), suspect.getValue(), transaction))
        .onItem()
        .ignoreAsUni();
  }

  private static Uni<Void> judge(Suspect suspect, Instant last, SqlConnection transaction) {
    var rule = suspect.rule();
    var from = last.minus(rule.window()).atOffset(ZoneOffset.UTC);
    var until = last.atOffset(ZoneOffset.UTC);
    return transaction
        .preparedQuery(COUNT.formatted(rule.per().column))
        .execute(
            Tuple.of(rule.action(), rule.outcome().orElse(null), suspect.subject(), from, until))
        .map(rows -> rows.iterator().next())
        .flatMap(
            counted ->
                counted.getLong("events") < rule.count()
                    ? Uni.createFrom().voidItem()
                    : transaction
                        .preparedQuery(EPISODE)
                        .execute(
                            Tuple.of(
                                rule.name(),
                                suspect.subject(),
                                counted.getOffsetDateTime("since"),
                                until,
                                counted.getLong("events"),
                                from))
                        .replaceWithVoid());
  }
}
