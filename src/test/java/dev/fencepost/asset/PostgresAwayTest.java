package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.postgres.PostgresAway;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresAwayTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void a_refused_connection_is_unavailable() throws IOException {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertUnavailable(port);
  }

  @Test
  void a_connection_that_is_dropped_is_unavailable() throws IOException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var dropper = new Thread(() -> dropAll(server));
      dropper.start();
      assertUnavailable(server.getLocalPort());
    }
  }

  @Test
  void a_server_that_shuts_down_or_is_full_is_unavailable() {
    assertThat(PostgresAway.isCause(answer("57P01"))).isTrue();
    assertThat(PostgresAway.isCause(answer("53300"))).isTrue();
    assertThat(PostgresAway.isCause(answer("08006"))).isTrue();
  }

  @Test
  void a_statement_that_is_wrong_is_a_bug_and_stays_one() {
    assertThat(PostgresAway.isCause(answer("42P01"))).isFalse();
    assertThat(PostgresAway.isCause(new IllegalStateException())).isFalse();
  }

  private void assertUnavailable(int port) {
    var refused =
        new AssetStore(poolAt(port))
            .find("a")
            .subscribe()
            .withSubscriber(UniAssertSubscriber.create())
            .awaitFailure(Duration.ofSeconds(20))
            .assertFailedWith(Refused.class)
            .getFailure();
    assertThat(((Refused) refused).type()).isEqualTo(ProblemType.UNAVAILABLE);
  }

  private Pool poolAt(int port) {
    var options =
        new PgConnectOptions()
            .setHost("127.0.0.1")
            .setPort(port)
            .setUser("u")
            .setPassword("p")
            .setDatabase("d");
    return Pool.newInstance(
        PgBuilder.pool().with(new PoolOptions()).connectingTo(options).using(vertx).build());
  }

  private static PgException answer(String sqlState) {
    return new PgException("message", "FATAL", sqlState, "detail");
  }

  private static void dropAll(ServerSocket server) {
    try {
      while (!server.isClosed()) {
        server.accept().close();
      }
    } catch (IOException e) {
      assertThat(server.isClosed()).isTrue();
    }
  }
}
