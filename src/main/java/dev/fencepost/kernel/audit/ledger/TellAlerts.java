package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.Alert;
import dev.fencepost.kernel.audit.AlertListener;
import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.postgres.PostgresAway;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;

/**
 * Tells of each episode once: it is marked as told before anyone hears of it, by whichever replica
 * comes first, and unmarked if nobody could be told.
 */
@ApplicationScoped
class TellAlerts {

  private static final Logger LOG = Logger.getLogger(TellAlerts.class);

  private static final String CLAIM =
      """
      UPDATE audit_alert SET told = true
      WHERE (rule, subject) IN (
        SELECT rule, subject FROM audit_alert WHERE NOT told LIMIT 20 FOR UPDATE SKIP LOCKED)
      RETURNING rule, subject, events, first_at
      """;

  private static final String UNCLAIM =
      "UPDATE audit_alert SET told = false WHERE rule = $1 AND subject = $2";

  private final Pool pool;
  private final List<AlertListener> listeners;
  private final AuditSettings settings;
  private final MeterRegistry metrics;

  TellAlerts(
      Pool pool,
      @All List<AlertListener> listeners,
      AuditSettings settings,
      MeterRegistry metrics) {
    this.pool = pool;
    this.listeners = listeners;
    this.settings = settings;
    this.metrics = metrics;
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    if (settings.project() && !settings.alerts().isEmpty()) {
      ticker.every(settings.projectEvery(), "alerts", this::tellAll);
    }
  }

  Uni<Void> tellAll() {
    return pool.query(CLAIM)
        .execute()
        .map(
            rows -> StreamSupport.stream(rows.spliterator(), false).map(TellAlerts::alert).toList())
        .flatMap(
            alerts ->
                Multi.createFrom()
                    .iterable(alerts)
                    .onItem()
                    .transformToUniAndConcatenate(this::tell)
                    .onItem()
                    .ignoreAsUni())
        .onFailure(PostgresAway::isCause)
        .recoverWithUni(away -> Uni.createFrom().voidItem());
  }

  private static Alert alert(Row row) {
    return new Alert(
        row.getString("rule"),
        row.getString("subject"),
        row.getLong("events"),
        row.getOffsetDateTime("first_at").toInstant());
  }

  private Uni<Void> tell(Alert alert) {
    metrics.counter("fencepost.audit.alerts", "rule", alert.rule()).increment();
    LOG.warnf(
        "alert %s: %d events of %s since %s",
        alert.rule(), alert.events(), alert.subject(), alert.since());
    return Multi.createFrom()
        .iterable(listeners)
        .onItem()
        .transformToUniAndConcatenate(listener -> listener.tell(alert))
        .onItem()
        .ignoreAsUni()
        .onFailure(RuntimeException.class)
        .recoverWithUni(untold -> later(alert, untold));
  }

  private Uni<Void> later(Alert alert, Throwable untold) {
    LOG.warnf("nobody could be told of alert %s: %s", alert.rule(), untold.getMessage());
    return pool.preparedQuery(UNCLAIM)
        .execute(Tuple.of(alert.rule(), alert.subject()))
        .replaceWithVoid();
  }
}
