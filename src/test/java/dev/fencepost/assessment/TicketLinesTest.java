package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.fencepost.LogLines;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every line about a ticket says which, of what, in which lane, under which token and trace. */
@QuarkusTest
class TicketLinesTest {

  private static final Trace TRACE =
      Trace.parse("00-11111111111111111111111111111111-2222222222222222-01").orElseThrow();

  @Inject TicketStore tickets;
  @Inject Running running;
  @Inject AgendaSweep sweep;
  @Inject LeaseKeeper keeper;
  @Inject RedisRoad redis;
  @Inject Scheduler scheduler;
  @Inject Vertx vertx;

  @TestHTTPResource("/")
  URI here;

  private final String asset = "lines-" + UUID.randomUUID();
  private LogLines lines;

  /** The sweeper would take up what a test leaves due. */
  @BeforeEach
  void listenAndHoldTheSweeper() {
    lines = LogLines.of("dev.fencepost");
    scheduler.pause();
  }

  @AfterEach
  void letTheSweeperGo() {
    scheduler.resume();
    lines.close();
  }

  @Test
  void a_ticket_that_fails_after_a_look_up_off_the_loop() {
    register("tcp://no-such-host.invalid:1");
    var run = opened();
    set(keys(run).ticket(), "attempts", "4");
    var last = takenOver(run);

    running.start(last);

    var line = lines.with(id(run), "FAILED after attempt 5");
    assertThat(line.level()).isEqualTo("WARN");
    assertThat(line.facts()).isEqualTo(facts(last));
  }

  @Test
  void a_ticket_that_fails_on_the_loop_in_nobodys_context() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    set(keys(run).asset(), "deaths", "2");
    var poison = takenOver(run);

    vertx.getOrCreateContext().runOnContext(now -> running.start(poison));

    assertThat(lines.with(id(run), "FAILED").facts()).isEqualTo(facts(poison));
  }

  @Test
  void a_ticket_that_ends_well() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();

    running.start(run);

    var line = lines.with(id(run), "FINISHED");
    assertThat(line.level()).isEqualTo("DEBUG");
    assertThat(line.facts()).isEqualTo(facts(run));
  }

  @Test
  void a_step_that_breaks() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    var broken = Uni.createFrom().failure(new IllegalStateException("a bug"));

    catchThrowableOfType(
        StepFailed.class, () -> await(StepFailed.guard(run, Step.RISK_DECISION, broken)));

    assertThat(lines.with(id(run), "RISK_DECISION broke").facts()).isEqualTo(facts(run));
  }

  @Test
  void a_lease_that_is_lost() throws Exception {
    try (var slow = new SlowAsset()) {
      register(slow.address());
      var run = opened();
      running.start(run);
      slow.awaitProbe();

      keeper.handOverAll();

      assertThat(lines.with(id(run), "was cut short").facts()).isEqualTo(facts(run));
    }
  }

  @Test
  void a_stale_write_that_is_refused_shows_the_outdated_token() throws Exception {
    try (var slow = new SlowAsset()) {
      register(slow.address());
      var run = opened();
      running.start(run);
      slow.awaitProbe();

      var newer = takenOver(run);
      slow.answer();

      assertThat(lines.with(id(run), "STALE_TOKEN").facts())
          .isEqualTo(facts(run))
          .isNotEqualTo(facts(newer));
    }
  }

  @Test
  void entries_that_the_sweep_cannot_handle() {
    var keys = keys(opened());
    var bad = new TicketKeys(keys.lane(), "bad-" + asset, "t0-00000000000000000000000000");
    var nonsense = "nonsense-" + asset;
    set(bad.ticket(), "status", "NO_SUCH_STATUS");
    send(Command.ZADD, bad.agenda(), "0", bad.entry());
    send(Command.ZADD, bad.agenda(), "0", nonsense);

    await(sweep.sweep());

    send(Command.ZREM, bad.agenda(), bad.entry(), nonsense);
    var lane = Integer.toString(keys.lane().number());
    assertThat(lines.with("cannot handle", bad.entry()).facts())
        .isEqualTo(Map.of("ticket_id", bad.ticketId(), "device_id", bad.assetId(), "lane", lane));
    assertThat(lines.with("cannot handle", nonsense).facts()).isEqualTo(Map.of("lane", lane));
  }

  private Map<String, String> facts(Run run) {
    return Map.of(
        "trace_id", TRACE.traceId(),
        "ticket_id", id(run),
        "device_id", asset,
        "lane", Integer.toString(run.lease().lane().number()),
        "fencing_token", run.lease().token().toString());
  }

  private Run opened() {
    return ((Opening.Opened)
            await(
                tickets.open(asset, new Entropy().freshId(), Origin.ofService(TRACE), true, false)))
        .run();
  }

  /** By another holder, as if the first had gone without a word. */
  private Run takenOver(Run run) {
    send(Command.DEL, keys(run).lease());
    send(Command.ZADD, keys(run).agenda(), "1", keys(run).entry());
    return await(tickets.acquire(run.lease().lane(), run.lease().subject())).orElseThrow();
  }

  private void set(String key, String field, String value) {
    send(Command.HSET, key, field, value);
  }

  private void send(Command command, String... words) {
    var request = Request.cmd(command);
    for (var word : words) {
      request.arg(word);
    }
    await(redis.send(request));
  }

  private void register(String address) {
    given()
        .contentType("application/json")
        .body("{\"address\": \"" + address + "\"}")
        .put("/v1/assets/{id}", asset)
        .then()
        .statusCode(201);
  }

  private static TicketKeys keys(Run run) {
    return TicketKeys.ofEntry(run.lease().lane(), run.lease().subject());
  }

  private static String id(Run run) {
    return run.ticket().ticketId();
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(10));
  }

  /** Answers a probe when it is told to. */
  private static final class SlowAsset implements AutoCloseable {

    private final CountDownLatch probed = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final HttpServer server;

    SlowAsset() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              probed.countDown();
              told.await(10, TimeUnit.SECONDS);
              exchange.sendResponseHeaders(204, -1);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      server.start();
    }

    String address() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    void awaitProbe() throws InterruptedException {
      assertThat(probed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    void answer() {
      told.countDown();
    }

    @Override
    public void close() {
      answer();
      server.stop(0);
    }
  }
}
