package dev.fencepost.platform.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresStateTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void a_database_that_refuses_is_told_of_and_fails_nothing() throws IOException {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertDegraded(state(port));
  }

  @Test
  void a_database_that_is_silent_is_given_up_on_in_time() throws IOException {
    try (var silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      assertDegraded(state(silent.getLocalPort()));
    }
  }

  private static void assertDegraded(HealthCheckResponse told) {
    assertThat(told.getStatus()).isEqualTo(Status.UP);
    assertThat(told.getData().orElseThrow())
        .containsEntry("state", "degraded")
        .containsKeys("reason", "meanwhile");
    assertThat(told.getData().orElseThrow().get("reason").toString())
        .doesNotContain("127.0.0.1", "someone");
  }

  private HealthCheckResponse state(int port) {
    var options =
        new PgConnectOptions()
            .setHost("127.0.0.1")
            .setPort(port)
            .setUser("someone")
            .setPassword("secret")
            .setDatabase("d");
    var pool =
        PgBuilder.pool()
            .connectingTo(options)
            .with(new PoolOptions().setMaxSize(1))
            .using(vertx)
            .build();
    return new PostgresState(new Pool(pool)).call().await().atMost(LIMIT);
  }
}
