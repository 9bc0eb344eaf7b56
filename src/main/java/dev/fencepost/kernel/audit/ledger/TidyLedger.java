package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.postgres.PostgresAway;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.ZoneOffset;

/** Takes away what the ledger noted for itself and needs no more. History stays. */
@ApplicationScoped
class TidyLedger {

  private static final Duration EVERY = Duration.ofHours(1);

  /** No spool waits for Redis, and no alert's window lasts, for so long. */
  private static final Duration LONG_AGO = Duration.ofDays(90);

  private static final String PROCESSES = "DELETE FROM audit_process WHERE at < $1";
  private static final String EPISODES = "DELETE FROM audit_alert WHERE last_at < $1 AND told";

  private final Pool pool;
  private final Entropy entropy;
  private final AuditSettings settings;

  TidyLedger(Pool pool, Entropy entropy, AuditSettings settings) {
    this.pool = pool;
    this.entropy = entropy;
    this.settings = settings;
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    if (settings.project()) {
      ticker.every(EVERY, "tidying the ledger", this::tidy);
    }
  }

  Uni<Void> tidy() {
    var then = Tuple.of(entropy.now().minus(LONG_AGO).atOffset(ZoneOffset.UTC));
    return pool.preparedQuery(PROCESSES)
        .execute(then)
        .flatMap(done -> pool.preparedQuery(EPISODES).execute(then))
        .replaceWithVoid()
        .onFailure(PostgresAway::isCause)
        .recoverWithUni(away -> Uni.createFrom().voidItem());
  }
}
