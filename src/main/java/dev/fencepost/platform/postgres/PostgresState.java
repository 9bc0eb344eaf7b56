package dev.fencepost.platform.postgres;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether PostgreSQL answers, told beside readiness and never against it: without it what runs goes
 * on, and a replica that took no traffic would only be one less to do so.
 */
@Readiness
@ApplicationScoped
class PostgresState implements AsyncHealthCheck {

  private static final String NAME = "postgresql";

  /** Well within the time limit of a probe. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Pool pool;

  PostgresState(Pool pool) {
    this.pool = pool;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return pool.query("SELECT 1")
        .execute()
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .map(answers -> HealthCheckResponse.named(NAME).up().withData("state", "available").build())
        .onFailure(PostgresState::isNoAnswer)
        .recoverWithItem(PostgresState::degraded);
  }

  private static boolean isNoAnswer(Throwable failure) {
    return failure instanceof PgException || PostgresAway.isCause(failure);
  }

  private static HealthCheckResponse degraded(Throwable why) {
    return HealthCheckResponse.named(NAME)
        .up()
        .withData("state", "degraded")
        .withData("reason", reason(why))
        .withData("meanwhile", "new assessments and changes of assets are refused; history waits")
        .build();
  }

  /** Never the message: it may name addresses and users. */
  private static String reason(Throwable why) {
    return why instanceof PgException answer
        ? "it refuses: SQLSTATE " + answer.getSqlState()
        : "it does not answer: " + why.getClass().getSimpleName();
  }
}
