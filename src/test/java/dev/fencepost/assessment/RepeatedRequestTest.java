package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.hasSize;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.WatchedRoad;
import dev.fencepost.platform.redis.WatchedRoad.Fault;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The holder of a key dies between what it did and its answer; its client asks again. */
@QuarkusTest
class RepeatedRequestTest {

  @Inject WatchedRoad road;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;

  private final String asset = "repeat-" + UUID.randomUUID();
  private final String key = UUID.randomUUID().toString();

  @BeforeEach
  void register() {
    given()
        .contentType("application/json")
        .body("{\"address\": \"heartbeat:\"}")
        .put("/v1/assets/{id}", asset)
        .then()
        .statusCode(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"force\": true}", "{}"})
  void a_ticket_that_has_ended_meanwhile_is_found_again(String body) {
    loseTheAnswer();
    assertThat(assess(key, body).statusCode()).isEqualTo(503);
    var opened = theOnlyTicket();
    awaitEnd(opened);
    var newer = assess(UUID.randomUUID().toString(), "{\"force\": true}");
    assertThat(newer.<String>path("ticket_id")).isNotEqualTo(opened);
    expireEveryKey();

    var again = assess(key, body);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.<String>path("ticket_id")).isEqualTo(opened);
    assertThat(again.header("Location")).isEqualTo("/v1/tickets/" + opened);
    assertThat(again.asByteArray()).isEqualTo(assess(key, body).asByteArray());
    given().get("/v1/tickets?asset_id=" + asset).then().body("items", hasSize(2));
  }

  @Test
  void one_key_opens_one_ticket_however_often_it_comes() {
    var first = assess(key, "{\"force\": true}");
    awaitEnd(first.path("ticket_id"));
    assertThat(assess(key, "{\"force\": true}").asByteArray()).isEqualTo(first.asByteArray());
    given().get("/v1/tickets?asset_id=" + asset).then().body("items", hasSize(1));
  }

  @Test
  void an_intervention_that_was_carried_out_is_not_carried_out_again() {
    var ticket = assess(key, "{\"force\": true}").<String>path("ticket_id");
    awaitEnd(ticket);

    var correction = UUID.randomUUID().toString();
    loseTheAnswer();
    assertThat(correct(ticket, correction).statusCode()).isEqualTo(503);
    expireEveryKey();
    var corrected = correct(ticket, correction);
    assertThat(corrected.statusCode()).isEqualTo(200);
    assertThat(corrected.<String>path("status")).isEqualTo("FAILED");
    assertThat(correct(ticket, UUID.randomUUID().toString()).statusCode()).isEqualTo(409);
    assertThat(events(ticket, "TICKET_CORRECTED")).hasSize(1);

    var retry = UUID.randomUUID().toString();
    loseTheAnswer();
    assertThat(retry(ticket, retry).statusCode()).isEqualTo(503);
    expireEveryKey();
    assertThat(retry(ticket, retry).statusCode()).isEqualTo(202);
    assertThat(events(ticket, "TICKET_RETRIED")).hasSize(1);
  }

  private void loseTheAnswer() {
    road.lose(2, Fault.REQUEST_LOST, operands -> operands.contains("idempotency:{"));
  }

  private Response assess(String with, String body) {
    return given()
        .header("Idempotency-Key", with)
        .contentType("application/json")
        .body(body)
        .post("/v1/assets/{id}/assessments", asset);
  }

  private static Response correct(String ticket, String with) {
    return given()
        .header("Idempotency-Key", with)
        .contentType("application/json")
        .body("{\"status\": \"FAILED\", \"reason\": \"looked into it\"}")
        .post("/v1/tickets/{id}/corrections", ticket);
  }

  private static Response retry(String ticket, String with) {
    return given().header("Idempotency-Key", with).post("/v1/tickets/{id}/retry", ticket);
  }

  private String theOnlyTicket() {
    List<String> ids = given().get("/v1/tickets?asset_id=" + asset).path("items.ticket_id");
    assertThat(ids).hasSize(1);
    return ids.get(0);
  }

  private static void awaitEnd(String ticket) {
    var end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!List.of("FINISHED", "FAILED")
        .contains(given().get("/v1/tickets/{id}", ticket).<String>path("status"))) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
    }
  }

  private void expireEveryKey() {
    for (var lane : lanes.allFrom(0)) {
      var leases =
          redis
              .send(Request.cmd(Command.KEYS).arg(lane.key("idempotency", "lease", "*")))
              .await()
              .atMost(Duration.ofSeconds(10));
      leases.forEach(
          lease ->
              redis
                  .send(Request.cmd(Command.DEL).arg(lease.toString()))
                  .await()
                  .atMost(Duration.ofSeconds(10)));
    }
  }

  private List<String> events(String ticket, String action) {
    return redis
        .send(
            Request.cmd(Command.XRANGE)
                .arg(lanes.of(asset).key("audit", "events"))
                .arg("-")
                .arg("+"))
        .await()
        .atMost(Duration.ofSeconds(10))
        .stream()
        .map(Object::toString)
        .filter(event -> event.contains(ticket) && event.contains(action))
        .toList();
  }
}
