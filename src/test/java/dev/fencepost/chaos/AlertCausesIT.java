package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The causes of alerts, made in running processes: each moves the very series that its rule looks
 * at. What the rules make of such series, {@code monitoring/alerts-test.yml} shows.
 */
class AlertCausesIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String REFUSED = "fencepost_stale_writes_refused_total";

  private static HttpServer gone;
  private static Arena arena;
  private static Load load;
  private static ServiceProcess a;
  private static ServiceProcess b;

  @BeforeAll
  static void start() throws IOException {
    gone = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gone.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(410, -1);
          exchange.close();
        });
    gone.start();
    arena = Arena.with(settings(), "alerts", "a", "b");
    a = arena.replicas().get(0);
    b = arena.replicas().get(1);
    load = new Load(arena.outside());
  }

  @AfterAll
  static void end() {
    arena.close();
    gone.stop(0);
  }

  private static Map<String, String> settings() {
    var settings = new HashMap<String, String>();
    settings.put("fencepost.command.expires-after", "2s");
    settings.put("fencepost.command.ack-timeout", "1s");
    settings.put("fencepost.identity.max-stale", "3s");
    settings.put("fencepost.limits.requests-per-second", "100");
    settings.put("fencepost.limits.burst", "300");
    settings.put("fencepost.step.online.timeout", "500ms");
    settings.put("fencepost.notify.channels.gone.type", "webhook");
    settings.put(
        "fencepost.notify.channels.gone.url",
        "http://127.0.0.1:" + gone.getAddress().getPort() + "/hook");
    return settings;
  }

  @Test
  void a_holder_that_wakes_up_too_late_is_refused() {
    load.register(a, "late");
    var before = Scrape.of(a, REFUSED);

    Scenarios.wakeBesideSuccessor(arena, load, a, "late");

    Patience.until("it is counted", SOON, () -> moved(a, before, REFUSED, "answer=\""));
    assertThat(Scrape.of(b, "fencepost_tickets_resumed_total")).isPositive();
  }

  @Test
  void without_redis_leases_are_lost_sweeps_are_cut_short_and_tokens_go_stale() {
    load.register(a, "cut-off");
    var hold = arena.outside().holdNext("VULNERABILITY_QUERY");
    load.assess(a, "cut-off", 0);
    hold.awaitEntered();
    var lost = Scrape.of(arena.replicas(), "fencepost_leases_lost_total");
    var cut = Scrape.of(a, "fencepost_sweeps_cut_short_total");
    var errors = Scrape.of(a, "http_server_requests_seconds_count", "status=\"503\"");
    Patience.until(
        "it shows that it runs",
        SOON,
        () -> Scrape.of(arena.replicas(), "fencepost_assessments_running") > 0);

    assertThat(a.get("/v1/assets/cut-off").statusCode()).as("a copy is kept").isEqualTo(200);
    arena.redis().signal(Signal.STOP);
    try {
      Patience.until(
          "tokens are judged by a copy",
          SOON,
          () -> {
            a.get("/v1/assets/cut-off");
            return Scrape.of(a, "fencepost_identity_stale_seconds") > 0;
          });
      Patience.until(
          "the copy is too old",
          SOON,
          () -> {
            a.get("/v1/assets/cut-off");
            return Scrape.of(a, "fencepost_identity_unknown_total") > 0;
          });
      Patience.until(
          "a lease is lost",
          SOON,
          () -> Scrape.of(arena.replicas(), "fencepost_leases_lost_total") > lost);
      Patience.until("a sweep", SOON, () -> moved(a, cut, "fencepost_sweeps_cut_short_total"));
      assertThat(a.get("/q/health/ready").statusCode()).isEqualTo(503);
      assertThat(a.get("/q/health/ready").body()).contains("\"unavailable\"", "\"reason\"");
      assertThat(a.get("/q/health/live").statusCode()).as("alive without Redis").isEqualTo(200);
    } finally {
      arena.redis().signal(Signal.CONT);
      hold.release();
    }
    assertThat(Scrape.of(a, "http_server_requests_seconds_count", "status=\"503\""))
        .isGreaterThan(errors);
    Patience.until("it is back", SOON, () -> a.get("/v1/assets/cut-off").statusCode() == 200);
    Patience.until("and fresh", SOON, () -> Scrape.of(a, "fencepost_identity_stale_seconds") == 0);
  }

  @Test
  void a_command_that_nobody_confirms_expires() {
    var series = "fencepost_command_transitions_total";
    var before = Scrape.of(arena.replicas(), series, "status=\"expired\"");
    Device.post(a, "/v1/devices/absent/live", "{\"session_id\":\"s\"}");
    assertThat(Device.post(a, "/v1/devices/absent/live/stop", "").body()).contains("accepted");

    Patience.until(
        "it is given up",
        SOON,
        () -> Scrape.of(arena.replicas(), series, "status=\"expired\"") > before);
  }

  @Test
  void a_channel_that_will_never_take_the_message_is_counted_by_name() {
    load.register(a, "untold");
    load.assess(a, "untold", 10);

    Patience.until(
        "the delivery failed",
        SOON,
        () ->
            Scrape.of(
                    arena.replicas(),
                    "fencepost_channel_deliveries_total",
                    "channel=\"gone\"",
                    "state=\"failed\"")
                > 0);
    assertThat(Scrape.of(arena.replicas(), "fencepost_step_duration_seconds_count", "\"done\""))
        .isPositive();
  }

  @Test
  void a_step_that_fails_is_counted_and_the_agenda_holds_its_ticket() {
    Device.put(a, "/v1/assets/unresolved", "{\"address\":\"tcp://nowhere.invalid:1\"}");
    load.assess(a, "unresolved", 0);

    Patience.until(
        "the step failed",
        SOON,
        () ->
            Scrape.of(
                    arena.replicas(),
                    "fencepost_step_duration_seconds_count",
                    "step=\"online_check\"",
                    "outcome=\"failed\"")
                > 0);
    Patience.until(
        "the agenda shows it",
        SOON,
        () -> Scrape.of(a, "fencepost_agenda_entries", "agenda=\"assessment\"") > 0);
    assertThat(Scrape.of(a, "fencepost_lease_renewal_duration_seconds_count")).isPositive();
  }

  @Test
  void one_key_for_two_requests_is_a_mismatch() throws Exception {
    var series = "fencepost_idempotency_total";
    var before = Scrape.of(a, series, "outcome=\"mismatch\"");

    withKey("{\"session_id\":\"one\"}");
    withKey("{\"session_id\":\"two\"}");

    assertThat(Scrape.of(a, series, "outcome=\"mismatch\"")).isGreaterThan(before);
  }

  @Test
  void a_caller_in_a_hurry_is_limited_and_counted() {
    var limited = "fencepost_requests_limited_total";
    var before = Scrape.of(b, limited);

    Patience.until(
        "it is refused",
        SOON,
        () -> IntStream.range(0, 100).anyMatch(i -> b.get("/v1/assets/hurry").statusCode() == 429));

    assertThat(Scrape.of(b, limited)).isGreaterThan(before);
  }

  @Test
  void without_postgresql_events_wait_and_what_is_lost_meanwhile_is_a_gap() throws IOException {
    try (var proxy = new Proxy(Arena.postgresPort());
        var alone = Arena.with(withLedger(proxy), "alerts-ledger", "l")) {
      var l = alone.replicas().get(0);
      startSession(l, "first");
      Patience.until("the ledger has begun", SOON, () -> hasAll(l));
      proxy.setAway(true);
      startSession(l, "second");

      Patience.until("events wait", SOON, () -> Scrape.of(l, "fencepost_audit_backlog") > 0);
      Patience.until(
          "and grow old", SOON, () -> Scrape.of(l, "fencepost_audit_oldest_waiting_seconds") > 1);
      assertThat(Scrape.of(l, "fencepost_audit_backlog_largest")).isPositive();
      assertThat(Scrape.of(l, "fencepost_audit_projection_failures_total")).isPositive();
      var ready = l.get("/q/health/ready");
      assertThat(ready.statusCode()).as("ready without PostgreSQL").isEqualTo(200);
      assertThat(ready.body()).contains("\"degraded\"", "\"reason\"");

      IntStream.range(0, Arena.lanes())
          .forEach(i -> alone.redis().send("XTRIM", "audit:{" + i + "}:events", "MAXLEN", "0"));
      startSession(l, "third");
      proxy.setAway(false);
      Patience.until("events go on", SOON, () -> hasAll(l));
      Patience.until("it is told", SOON, () -> Scrape.of(l, "fencepost_audit_gaps_total") > 0);
    }
  }

  @Test
  void a_replica_that_may_run_no_more_is_saturated_and_what_is_due_waits() {
    var two = Map.of("fencepost.assessment.max-concurrent", "2");
    try (var busy = Arena.with(two, "alerts-busy", "c")) {
      var c = busy.replicas().get(0);
      var own = new Load(busy.outside());
      var holds =
          Stream.of("busy-1", "busy-2")
              .map(
                  asset -> {
                    var hold = busy.outside().holdNext("VULNERABILITY_QUERY");
                    own.register(c, asset);
                    own.assess(c, asset, 0);
                    hold.awaitEntered();
                    return hold;
                  })
              .toList();
      assertThat(Scrape.of(c, "fencepost_assessments_running"))
          .as("all it may")
          .isEqualTo(Scrape.of(c, "fencepost_assessments_running_limit"));

      own.register(c, "busy-3");
      own.assess(c, "busy-3", 0);
      Patience.until("the third waits", SOON, () -> assessmentsAreLateBy(c) > 2);
      var renewing = Scrape.of(c, "fencepost_lease_renewal_duration_seconds_sum");
      busy.proxyOf(c).stall(1_200); // shorter than a lease
      Patience.until(
          "renewing took long",
          SOON,
          () -> Scrape.of(c, "fencepost_lease_renewal_duration_seconds_sum") > renewing + 0.4);

      holds.forEach(Hold::release);
      Patience.until("nothing is late", SOON, () -> assessmentsAreLateBy(c) == 0);
      assertThat(own.known(c, "busy-3")).contains("FINISHED");
    }
  }

  private static double assessmentsAreLateBy(ServiceProcess replica) {
    return Scrape.of(replica, "fencepost_agenda_lag_seconds", "agenda=\"assessment\"");
  }

  private static void startSession(ServiceProcess replica, String session) {
    Device.post(replica, "/v1/devices/audited/live", "{\"session_id\":\"" + session + "\"}");
  }

  private static boolean hasAll(ServiceProcess replica) {
    return Scrape.of(replica, "fencepost_audit_events_total") > 0
        && Scrape.of(replica, "fencepost_audit_backlog") == 0;
  }

  private static Map<String, String> withLedger(Proxy proxy) {
    var settings = new HashMap<>(Arena.postgresAt(proxy.port()));
    settings.put("fencepost.audit.project", "true");
    settings.put("fencepost.audit.max-pause", "1s");
    return settings;
  }

  private static boolean moved(
      ServiceProcess replica, double before, String metric, String... labels) {
    return Scrape.of(replica, metric, labels) > before;
  }

  private static void withKey(String body) throws Exception {
    var request =
        HttpRequest.newBuilder(a.at("/v1/devices/keyed/live"))
            .header("Idempotency-Key", "one-key-for-all")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpClient.newHttpClient().send(LoggedIn.asAdmin(request), BodyHandlers.discarding());
  }
}
