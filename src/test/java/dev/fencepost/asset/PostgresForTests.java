package dev.fencepost.asset;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL for the time of the tests, and an address where no Redis is. */
public class PostgresForTests implements QuarkusTestResourceLifecycleManager {

  private @Nullable EmbeddedPostgres postgres;

  @Override
  public Map<String, String> start() {
    try {
      postgres = EmbeddedPostgres.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var address = "postgresql://127.0.0.1:" + postgres.getPort() + "/postgres";
    return Map.of(
        "quarkus.datasource.jdbc.url", "jdbc:" + address,
        "quarkus.datasource.reactive.url", address,
        "quarkus.datasource.username", "postgres",
        "quarkus.datasource.password", "postgres",
        "quarkus.redis.hosts", "redis://127.0.0.1:1",
        "fencepost.embedded", "false");
  }

  @Override
  public void stop() {
    if (postgres != null) {
      try {
        postgres.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
