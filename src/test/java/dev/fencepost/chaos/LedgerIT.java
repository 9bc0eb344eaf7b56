package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * History over killed processes and connections: everything once, nothing lost, nothing changed.
 */
class LedgerIT {

  /** 20,000 is a long run: {@code -Dchaos.events=20000}. */
  private static final int EVENTS = Chaos.number("chaos.events", 1_500);

  private static final int CLIENTS = 6;
  private static final int ASSETS = 30;
  private static final Duration LONGEST = Duration.ofMinutes(20);

  @Test
  void every_fact_has_one_row_in_order_whoever_is_killed() throws SQLException {
    var random = new Random(Chaos.seed());
    try (var arena = Arena.withLedger("ledger", "a", "b", "c");
        var database = Arena.database();
        var clients = new Workers()) {
      var load = new Load(arena.outside());
      for (var i = 0; i < ASSETS; i++) {
        load.register(arena.replicas().get(i % 3), asset(i));
      }
      var enough = new AtomicBoolean();
      for (var c = 0; c < CLIENTS; c++) {
        var client = c;
        clients.start(() -> ask(arena, load, client, enough));
      }
      var kills = 0;
      var end = System.nanoTime() + LONGEST.toNanos();
      while (number(database, "SELECT coalesce(sum(sequence), 0) FROM audit_head") < EVENTS) {
        assertThat(System.nanoTime()).as("there are events").isLessThan(end);
        Patience.pause(1_000 + random.nextInt(2_000));
        if (random.nextBoolean()) {
          var victim = arena.replicas().get(random.nextInt(3));
          victim.killAndReplace();
          victim.awaitReady();
        } else {
          number(
              database,
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                  + " WHERE pid <> pg_backend_pid() AND datname = current_database()");
        }
        kills++;
      }
      enough.set(true);
      clients.awaitAll(90);
      Patience.until(
          "the ledger has everything", Duration.ofSeconds(90), () -> isQuiet(arena, database));
      System.out.printf(
          "ledger: events=%d tickets=%d kills=%d answers=%s%n",
          number(database, "SELECT count(*) FROM audit_event"),
          number(database, "SELECT count(*) FROM ticket_view"),
          kills,
          load.answers());
      assertOnce(arena, database);
    }
  }

  private static void assertOnce(Arena arena, Connection database) throws SQLException {
    assertThat(number(database, "SELECT count(*) FROM audit_event WHERE action = 'AUDIT_GAP'"))
        .isZero();
    assertThat(number(database, "SELECT count(*) - count(DISTINCT event_id) FROM audit_event"))
        .isZero();
    for (var lane = 0; lane < Arena.lanes(); lane++) {
      var keys = (List<?>) arena.redis().send("KEYS", "assessment:{" + lane + "}:ticket:*");
      for (var key : keys) {
        var id = key.toString().substring(key.toString().lastIndexOf(':') + 1);
        var facts = arena.redis().send("HGET", key.toString(), "facts").toString();
        var rows =
            "SELECT count(*) FROM audit_event WHERE resource_id = '%s' AND action LIKE 'TICKET_%%'"
                + " AND action NOT IN ('TICKET_RECORDED', 'TICKET_RESUMED')";
        assertThat(number(database, rows.formatted(id))).as(id).isEqualTo(Long.parseLong(facts));
        var status = arena.redis().send("HGET", key.toString(), "status").toString();
        assertThat(
                number(
                    database,
                    "SELECT count(*) FROM ticket_view WHERE ticket_id = '%s' AND status = '%s'"
                        .formatted(id, status)))
            .as(id + " is shown as " + status)
            .isEqualTo(1);
      }
    }
    assertThat(verified(arena.replicas().get(0))).contains("\"verified\":true", "\"gaps\":0");
  }

  private static boolean isQuiet(Arena arena, Connection database) {
    for (var lane = 0; lane < Arena.lanes(); lane++) {
      var newest =
          (List<?>)
              arena
                  .redis()
                  .send("XREVRANGE", "audit:{" + lane + "}:events", "+", "-", "COUNT", "1");
      if (!newest.isEmpty() && !isHead(database, lane, ((List<?>) newest.get(0)).get(0))) {
        return false;
      }
    }
    return arena.history().tickets().values().stream()
        .allMatch(ticket -> ticket.status().equals("FINISHED") || ticket.status().equals("FAILED"));
  }

  private static boolean isHead(Connection database, int lane, Object id) {
    try {
      return number(
              database,
              "SELECT count(*) FROM audit_head WHERE lane = %d AND stream_id = '%s'"
                  .formatted(lane, id))
          == 1;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String verified(ServiceProcess replica) {
    var request = HttpRequest.newBuilder(replica.at("/v1/audit/verify")).build();
    try {
      return HttpClient.newHttpClient()
          .send(LoggedIn.asAdmin(request), BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void ask(Arena arena, Load load, int client, AtomicBoolean enough) {
    for (var i = client; !enough.get(); i += CLIENTS) {
      load.assess(arena.replicas().get(i % 3), asset(i % ASSETS), i % 3);
      Patience.pause(20);
    }
  }

  private static long number(Connection database, String sql) throws SQLException {
    try (var statement = database.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static String asset(int number) {
    return "ledger-" + number;
  }
}
