package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PostgreSQL is stopped, really, and started again: requests do not notice, history catches up. */
class PostgresAwayIT {

  /** In each of the two halves; 5000 is a long run: {@code -Dchaos.requests=5000}. */
  private static final int REQUESTS = Chaos.number("chaos.requests", 400);

  private static final String ASSET = "away-fresh";

  @Test
  void requests_go_on_without_postgresql_and_history_has_everything_once_when_it_is_back()
      throws SQLException {
    try (var postgres = new ChaosPostgres("away")) {
      var settings = new HashMap<>(postgres.settings());
      settings.put("fencepost.audit.project", "true");
      settings.put("fencepost.audit.max-pause", "2s");
      try (var arena = Arena.with(settings, "away", "a", "b")) {
        var load = new Load(arena.outside());
        load.register(arena.replicas().get(0), ASSET);
        assertThat(load.assess(arena.replicas().get(0), ASSET, 10)).isTrue();
        traffic(arena, load, "warm-up", REQUESTS / 2);

        var running = traffic(arena, load, "running", REQUESTS);
        postgres.stop();
        var stopped = traffic(arena, load, "stopped", REQUESTS);
        var waiting = waiting(arena);
        assertThat(waiting).as("events wait in Redis").isGreaterThanOrEqualTo(REQUESTS / 2);
        postgres.start();

        try (var database = postgres.connect()) {
          Patience.until(
              "the backlog is drained", Duration.ofSeconds(120), () -> isDrained(arena, database));
          System.out.printf(
              "ledger away: requests=%d waited=%d p50 %.1f -> %.1f ms, p99 %.1f -> %.1f ms,"
                  + " ratio of p99 %.2f%n",
              REQUESTS,
              waiting,
              at(running, 50),
              at(stopped, 50),
              at(running, 99),
              at(stopped, 99),
              at(stopped, 99) / at(running, 99));
          assertOnce(database);
        }
        assertThat(Device.get(arena.replicas().get(0), "/v1/audit/verify"))
            .contains("\"verified\":true", "\"gaps\":0");
      }
    }
  }

  /**
   * Sessions started, kept alive, stopped, and fresh assessments: all that needs no asset to be
   * looked up. A third of it writes events.
   *
   * @return how long each request took, in ms, the fastest first
   */
  private static List<Double> traffic(Arena arena, Load load, String phase, int requests) {
    var times = new ArrayList<Double>();
    for (var i = 0; times.size() < requests; i++) {
      var replica = arena.replicas().get(i % 2);
      var path = "/v1/devices/away-" + phase + "-" + i + "/live";
      var session = "{\"session_id\":\"s\"}";
      times.add(timed(() -> must(201, Device.post(replica, path, session).statusCode())));
      times.add(
          timed(() -> must(204, Device.post(replica, path + "/heartbeat", session).statusCode())));
      times.add(timed(() -> must(200, Device.post(replica, path + "/stop", session).statusCode())));
      times.add(timed(() -> assertThat(load.known(replica, ASSET)).contains("\"ticket_id\"")));
    }
    times.sort(Double::compare);
    return times;
  }

  private static double timed(Runnable request) {
    var begin = System.nanoTime();
    request.run();
    return (System.nanoTime() - begin) / 1e6;
  }

  private static void must(int wanted, int status) {
    assertThat(status).isEqualTo(wanted);
  }

  private static double at(List<Double> times, int percent) {
    return times.get(Math.min(times.size() - 1, times.size() * percent / 100));
  }

  private static long waiting(Arena arena) {
    var waiting = 0L;
    for (var lane = 0; lane < Arena.lanes(); lane++) {
      waiting += (Long) arena.redis().send("XLEN", "audit:{" + lane + "}:events");
    }
    return waiting;
  }

  private static boolean isDrained(Arena arena, Connection database) {
    for (var lane = 0; lane < Arena.lanes(); lane++) {
      var newest =
          (List<?>)
              arena
                  .redis()
                  .send("XREVRANGE", "audit:{" + lane + "}:events", "+", "-", "COUNT", "1");
      if (!newest.isEmpty()
          && number(
                  database,
                  "SELECT count(*) FROM audit_head WHERE lane = %d AND stream_id = '%s'"
                      .formatted(lane, ((List<?>) newest.get(0)).get(0)))
              != 1) {
        return false;
      }
    }
    return true;
  }

  private static void assertOnce(Connection database) {
    assertThat(number(database, "SELECT count(*) - count(DISTINCT event_id) FROM audit_event"))
        .as("nothing twice")
        .isZero();
    for (var phase : List.of("running", "stopped")) {
      for (var action : List.of("LIVE_STARTED", "LIVE_STOP_REQUESTED")) {
        assertThat(
                number(
                    database,
                    "SELECT count(*) FROM audit_event WHERE action = '%s' AND outcome = 'accepted'"
                            .formatted(action)
                        + " AND resource_id LIKE 'away-%s-%%'".formatted(phase)))
            .as(action + " while PostgreSQL was " + phase)
            .isEqualTo((REQUESTS + 3) / 4);
      }
    }
    assertThat(number(database, "SELECT count(*) FROM live_view WHERE status = 'live'")).isZero();
  }

  private static long number(Connection database, String sql) {
    try (var statement = database.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
