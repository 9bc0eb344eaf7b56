package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * History over killed processes and a PostgreSQL that crashes: everything once, nothing lost,
 * nothing changed.
 */
class LedgerIT {

  /** 20,000 is a long run: {@code -Dchaos.events=20000}. */
  private static final int EVENTS = Chaos.number("chaos.events", 1_500);

  private static final int CLIENTS = 6;
  private static final int ASSETS = 30;

  /** An event's id ends in its place in the stream: milliseconds, and a number within them. */
  private static final String OUT_OF_ORDER =
      """
      SELECT count(*) FROM (
        SELECT place <= lag(place) OVER (PARTITION BY lane ORDER BY sequence) AS wrong FROM (
          SELECT lane, sequence, array[split_part(event_id, '-', 2)::bigint,
                                       split_part(event_id, '-', 3)::bigint] AS place
          FROM audit_event) placed) ordered WHERE wrong
      """;

  private static final Duration LONGEST = Duration.ofMinutes(20);

  @Test
  void every_fact_has_one_row_in_order_whoever_is_killed() {
    var random = new Random(Chaos.seed());
    try (var postgres = new ChaosPostgres("ledger");
        var arena = Arena.with(settings(postgres), "ledger", "a", "b", "c");
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
      var kills = new TreeMap<Fault, Integer>();
      var end = System.nanoTime() + LONGEST.toNanos();
      while (postgres.number("SELECT coalesce(sum(sequence), 0) FROM audit_head") < EVENTS) {
        assertThat(System.nanoTime()).as("there are events").isLessThan(end);
        Patience.pause(1_000 + random.nextInt(2_000));
        var fault = Fault.values()[random.nextInt(Fault.values().length)];
        happen(fault, arena, postgres, random);
        kills.merge(fault, 1, Integer::sum);
      }
      enough.set(true);
      clients.awaitAll(90);
      Patience.until(
          "the ledger has everything", Duration.ofSeconds(180), () -> isQuiet(arena, postgres));
      System.out.printf(
          "ledger: events=%d refused=%d tickets=%d kills=%s answers=%s%n",
          postgres.number("SELECT count(*) FROM audit_event"),
          postgres.number("SELECT count(*) FROM audit_event WHERE action = 'STALE_WRITE_REFUSED'"),
          postgres.number("SELECT count(*) FROM ticket_view"),
          kills,
          load.answers());
      assertThat(kills.keySet()).as("what was killed").isNotEmpty();
      assertOnce(arena, postgres);
    }
  }

  /** What is done to whom. */
  private enum Fault {
    /** A process, whatever it is doing. */
    PROCESS,
    /** The process that is moving events to the ledger just now. */
    PROJECTOR,
    /** A process stands still for longer than its leases, and goes on with what it was doing. */
    STALL,
    /** Every connection to PostgreSQL. */
    CONNECTIONS,
    /** PostgreSQL: one of its processes dies, so all do, and it recovers from its log. */
    POSTGRES
  }

  private static void happen(Fault fault, Arena arena, ChaosPostgres postgres, Random random) {
    switch (fault) {
      case PROCESS -> replace(arena.replicas().get(random.nextInt(3)));
      case PROJECTOR -> replace(projector(arena, random));
      case STALL -> stall(arena.replicas().get(random.nextInt(3)));
      case CONNECTIONS -> postgres.cut();
      case POSTGRES -> postgres.crash();
    }
  }

  private static void replace(ServiceProcess victim) {
    victim.killAndReplace();
    victim.awaitReady();
  }

  private static void stall(ServiceProcess victim) {
    victim.stop();
    Patience.pause(Arena.LEASE.multipliedBy(2).toMillis());
    victim.goOn();
  }

  /** Whoever holds a lane's lease; a right that lasts for milliseconds is waited for. */
  private static ServiceProcess projector(Arena arena, Random random) {
    var holder = new AtomicReference<String>();
    Patience.holdsWithin(
        Duration.ofSeconds(5),
        () -> {
          for (var lane = 0; lane < Arena.lanes() && holder.get() == null; lane++) {
            var found = arena.redis().send("GET", "audit:{" + lane + "}:lease");
            holder.set(found == null ? null : found.toString());
          }
          return holder.get() != null;
        });
    return arena.replicas().stream()
        .filter(r -> holder.get() != null && holder.get().startsWith(r.name() + "/"))
        .findFirst()
        .orElseGet(() -> arena.replicas().get(random.nextInt(3)));
  }

  private static Map<String, String> settings(ChaosPostgres postgres) {
    var settings = new HashMap<>(postgres.settings());
    settings.put("fencepost.audit.project", "true");
    settings.put("fencepost.audit.checkpoint-every", "2s");
    settings.put("fencepost.audit.max-pause", "2s");
    return settings;
  }

  private static void assertOnce(Arena arena, ChaosPostgres database) {
    assertThat(database.number("SELECT count(*) FROM audit_event WHERE action = 'AUDIT_GAP'"))
        .isZero();
    assertThat(database.number("SELECT count(*) - count(DISTINCT event_id) FROM audit_event"))
        .isZero();
    assertThat(database.number(OUT_OF_ORDER)).as("not in the order of the stream").isZero();
    var facts =
        database.column(
            "SELECT resource_id, count(*)::text FROM audit_event WHERE action LIKE 'TICKET_%'"
                + " AND action NOT IN ('TICKET_RECORDED', 'TICKET_RESUMED') GROUP BY 1");
    var refused =
        database.column(
            "SELECT resource_id, count(*)::text FROM audit_event"
                + " WHERE action = 'STALE_WRITE_REFUSED' GROUP BY 1");
    var shown = database.column("SELECT ticket_id, status FROM ticket_view");
    for (var lane = 0; lane < Arena.lanes(); lane++) {
      for (var key : (List<?>) arena.redis().send("KEYS", "assessment:{" + lane + "}:ticket:*")) {
        var ticket = key.toString();
        var id = ticket.substring(ticket.lastIndexOf(':') + 1);
        var known = (List<?>) arena.redis().send("HMGET", ticket, "facts", "status");
        assertThat(facts.get(id)).as("facts of " + id).isEqualTo(known.get(0));
        assertThat(shown.get(id)).as("what is shown of " + id).isEqualTo(known.get(1));
        assertThat(refused.getOrDefault(id, "0"))
            .as("refused writes of " + id)
            .isEqualTo(
                arena.redis().send("SCARD", ticket.replace(":ticket:", ":refused:")).toString());
      }
    }
    assertThat(verified(arena.replicas().get(0))).contains("\"verified\":true", "\"gaps\":0");
  }

  private static boolean isQuiet(Arena arena, ChaosPostgres database) {
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

  private static boolean isHead(ChaosPostgres database, int lane, Object id) {
    return database.number(
            "SELECT count(*) FROM audit_head WHERE lane = %d AND stream_id = '%s'"
                .formatted(lane, id))
        == 1;
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

  private static String asset(int number) {
    return "ledger-" + number;
  }
}
