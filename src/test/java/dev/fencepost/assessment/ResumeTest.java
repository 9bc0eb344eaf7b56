package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** Tickets that were left behind: picked up by the sweeper of the running service. */
@QuarkusTest
class ResumeTest {

  private static final Trace TRACE =
      Trace.parse("00-11111111111111111111111111111111-2222222222222222-01").orElseThrow();

  @Inject TicketStore tickets;
  @Inject RedisRoad redis;
  @Inject MeterRegistry metrics;

  @ConfigProperty(name = "test.webhook")
  String webhook;

  @TestHTTPResource("/")
  URI here;

  private final String asset = "resume-" + UUID.randomUUID();

  @Test
  void a_ticket_that_was_too_much_when_it_came_is_picked_up() {
    register("tcp://127.0.0.1:" + here.getPort());
    var queued =
        (Opening.Queued)
            await(
                tickets.open(
                    asset, new Entropy().freshId(), Origin.ofService(TRACE), false, false));
    ended(queued.ticket().ticketId())
        .body("status", equalTo("FINISHED"))
        .body("attempts", equalTo(1));
  }

  @Test
  void a_ticket_whose_holder_died_is_resumed_where_it_stood() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    kill(run);
    ended(id(run)).body("status", equalTo("FINISHED")).body("attempts", equalTo(2));
    assertThat(told(id(run))).isEqualTo(1);
  }

  @Test
  void a_ticket_that_killed_three_holders_in_a_row_is_poison() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    await(redis.send(Request.cmd(Command.HSET).arg(keys(run).asset()).arg("deaths").arg("2")));
    kill(run);
    ended(id(run))
        .body("status", equalTo("FAILED"))
        .body("last_error", containsString("poison: 3 holders"));
  }

  @Test
  void one_bad_ticket_never_stops_the_others_of_its_lane() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    var keys = keys(run);
    var bad = new TicketKeys(keys.lane(), "bad-" + asset, "t0-00000000000000000000000000");
    await(
        redis.send(
            Request.cmd(Command.HSET)
                .arg(bad.ticket())
                .arg("ticket_id")
                .arg(bad.ticketId())
                .arg("asset_id")
                .arg(bad.assetId())
                .arg("status")
                .arg("NO_SUCH_STATUS")));
    await(redis.send(Request.cmd(Command.ZADD).arg(bad.agenda()).arg(0).arg(bad.entry())));
    kill(run);
    ended(id(run)).body("status", equalTo("FINISHED"));
    assertThat(metrics.counter("fencepost.tickets.unreadable").count()).isPositive();
    await(redis.send(Request.cmd(Command.ZREM).arg(bad.agenda()).arg(bad.entry())));
  }

  @Test
  void a_step_that_keeps_failing_fails_the_ticket_and_can_be_retried() {
    register("tcp://no-such-host.invalid:1");
    var run = opened();
    set(run, "attempts", "4");
    kill(run);
    ended(id(run))
        .body("status", equalTo("FAILED"))
        .body("attempts", equalTo(5))
        .body("last_failed_step", equalTo("ONLINE_CHECK"))
        .body("last_error", containsString("no-such-host.invalid"));

    register("tcp://127.0.0.1:" + here.getPort());
    given().post("/v1/tickets/{id}/retry", id(run)).then().statusCode(202);
    ended(id(run)).body("status", equalTo("FINISHED"));
  }

  @Test
  void a_ticket_handed_over_is_due_at_once_and_its_attempt_does_not_count() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    assertThat(await(tickets.letGo(run, run.ticket().progress().uncounted())))
        .isEqualTo(Recorded.RECORDED);
    ended(id(run)).body("status", equalTo("FINISHED")).body("attempts", equalTo(1));
  }

  @Test
  void a_stale_holder_that_confesses_is_refused_and_counted_once() {
    register("tcp://127.0.0.1:" + here.getPort());
    var run = opened();
    kill(run);
    ended(id(run));
    assertThat(await(tickets.letGo(run, run.ticket().progress()))).isEqualTo(Recorded.STALE_TOKEN);
    assertThat(await(tickets.letGo(run, run.ticket().progress()))).isEqualTo(Recorded.STALE_TOKEN);
    given().get("/v1/tickets/{id}", id(run)).then().body("stale_writes_refused", equalTo(1));
  }

  private Run opened() {
    return ((Opening.Opened)
            await(
                tickets.open(asset, new Entropy().freshId(), Origin.ofService(TRACE), true, false)))
        .run();
  }

  /** As if its process were gone: the lease has run out, the agenda says to look now. */
  private void kill(Run run) {
    var keys = keys(run);
    await(redis.send(Request.cmd(Command.DEL).arg(keys.lease())));
    await(redis.send(Request.cmd(Command.ZADD).arg(keys.agenda()).arg(1).arg(keys.entry())));
  }

  private void set(Run run, String field, String value) {
    await(redis.send(Request.cmd(Command.HSET).arg(keys(run).ticket()).arg(field).arg(value)));
  }

  private static ValidatableResponse ended(String ticketId) {
    for (var look = 0; look < 200; look++) {
      var answer = given().get("/v1/tickets/{id}", ticketId).then().statusCode(200);
      var status = TicketStatus.valueOf(answer.extract().path("status"));
      if (status.isTerminal()) {
        return answer;
      }
      pause();
    }
    throw new AssertionError("ticket " + ticketId + " did not end");
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long told(String ticketId) {
    return given()
        .get(webhook + "/seen")
        .asString()
        .lines()
        .filter(l -> l.startsWith(ticketId))
        .count();
  }

  private void register(String address) {
    given()
        .contentType("application/json")
        .body("{\"address\": \"" + address + "\"}")
        .put("/v1/assets/{id}", asset);
    given()
        .contentType("application/json")
        .body(
            "{\"components\": [{\"purl\": \"pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1\"}]}")
        .put("/v1/assets/{id}/inventory", asset)
        .then()
        .statusCode(200);
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
}
