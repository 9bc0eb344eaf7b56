package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.fencepost.assessment.notification.DeliveryState;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.audit.ledger.ProjectByHand;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tickets outlive Redis, lists show what was just written, and secrets reach no store. */
@QuarkusTest
class TicketLedgerTest {

  @Inject ProjectByHand projection;
  @Inject TicketStore tickets;
  @Inject TicketHash hash;
  @Inject Setback setback;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject DataSource database;

  private final String asset = "ledger-" + UUID.randomUUID();

  @Test
  void a_ticket_that_redis_has_forgotten_is_answered_from_the_ledger_word_for_word() {
    var ticket = finished();
    var before = given().get("/v1/tickets/" + ticket).then().statusCode(200).extract().asString();
    projection.project(lanes.of(asset));
    forget(ticket);
    var after = given().get("/v1/tickets/" + ticket).then().statusCode(200).extract().asString();
    assertThat(after).isEqualTo(before);
    given()
        .get("/v1/tickets?asset_id=" + asset)
        .then()
        .statusCode(200)
        .body("items.size()", equalTo(1))
        .body("items[0].ticket_id", equalTo(ticket));
  }

  @Test
  void a_ticket_that_redis_forgot_before_the_ledger_looked_is_told_from_its_events() {
    var ticket = finished();
    var before = given().get("/v1/tickets/" + ticket).asString();
    forget(ticket);
    projection.project(lanes.of(asset));
    assertThat(given().get("/v1/tickets/" + ticket).asString()).isEqualTo(before);
    given()
        .get("/v1/tickets?status=FINISHED&asset_id=" + asset)
        .then()
        .statusCode(200)
        .body("items.size()", equalTo(1))
        .body("items[0].ticket_id", equalTo(ticket));
    var history = given().get("/v1/audit?limit=500&resource_id=" + ticket).asString();
    assertThat(history).contains("TICKET_FINISHED").doesNotContain("aside", "unevaluated");
  }

  @Test
  void a_persons_word_on_a_ticket_that_redis_has_forgotten_is_told_too() {
    var ticket = finished();
    inDoubt(ticket);
    settle(ticket, "asked them").then().statusCode(200);
    var settled = given().get("/v1/tickets/" + ticket).asString();
    assertThat(settled).contains("settled: asked them");
    forget(ticket);
    projection.project(lanes.of(asset));
    assertThat(given().get("/v1/tickets/" + ticket).asString()).isEqualTo(settled);

    var other = finished();
    correct(other, "gone");
    var corrected = given().get("/v1/tickets/" + other).asString();
    forget(other);
    projection.project(lanes.of(asset));
    assertThat(given().get("/v1/tickets/" + other).asString()).isEqualTo(corrected);
  }

  @Test
  void a_person_who_ends_a_running_ticket_leaves_all_that_it_knew() {
    register();
    var run = opened();
    correct(run.ticket().ticketId(), "too late");
    var before = given().get("/v1/tickets/" + run.ticket().ticketId()).asString();
    assertThat(before).contains("FAILED");
    forget(run.ticket().ticketId());
    projection.project(lanes.of(asset));
    assertThat(given().get("/v1/tickets/" + run.ticket().ticketId()).asString()).isEqualTo(before);
  }

  @Test
  void a_write_that_was_refused_after_the_end_is_counted_whoever_remembers_the_ticket() {
    register();
    var run = opened();
    var ticket = run.ticket().ticketId();
    correct(ticket, "too late");
    projection.project(lanes.of(asset));
    assertThat(await(tickets.letGo(run, run.ticket().progress()))).isEqualTo(Recorded.STALE_TOKEN);
    var before = given().get("/v1/tickets/" + ticket).asString();
    assertThat(before).contains("\"stale_writes_refused\":1");
    forget(ticket);
    projection.project(lanes.of(asset));
    assertThat(given().get("/v1/tickets/" + ticket).asString()).isEqualTo(before);
  }

  @Test
  void a_secret_in_the_reason_of_a_failure_reaches_nobody() {
    register();
    var run = opened();
    var failed = StepFailed.because(run, Step.VULNERABILITY_QUERY, "GET ?token=hunter2 said no");
    var back = await(setback.record(failed));
    assertThat(back.ticket().progress().lastError()).isEqualTo("GET ?token=*** said no");
    assertNoSecretIn(given().get("/v1/tickets/" + run.ticket().ticketId()).asString());
  }

  @Test
  void what_a_ticket_told_at_its_end_is_not_the_last_word_once_it_is_retried() throws SQLException {
    register();
    var ticket = opened().ticket().ticketId();
    correct(ticket, "too soon");
    given().post("/v1/tickets/" + ticket + "/retry").then().statusCode(202);
    projection.project(lanes.of(asset));
    try (var connection = database.getConnection();
        var rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT status FROM ticket_view WHERE ticket_id = '" + ticket + "'")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isNotEqualTo("FAILED");
    }
  }

  @Test
  void a_ticket_looks_the_same_alone_and_in_a_list() {
    register();
    var run = opened();
    assertThatItLooksTheSameInAList(run);
    await(setback.record(StepFailed.because(run, Step.VULNERABILITY_QUERY, "\"no\"")));
    assertThatItLooksTheSameInAList(run);
  }

  @Test
  void what_someone_wrote_into_a_ticket_makes_no_answer_that_is_no_json_and_spoils_no_list() {
    var sound = finished();
    var ticket = opened().ticket().ticketId();
    for (var spoilt : List.of("many", "[{", "", "[] []", "[\"]")) {
      await(redis.send(Request.cmd(Command.HSET).arg(key(ticket)).arg("findings").arg(spoilt)));
      given()
          .get("/v1/tickets/" + ticket)
          .then()
          .statusCode(500)
          .contentType("application/problem+json")
          .body("type", containsString("internal"));
      given()
          .get("/v1/tickets?asset_id=" + asset)
          .then()
          .statusCode(200)
          .body("items.ticket_id", equalTo(List.of(sound)));
    }
    forget(ticket);
  }

  private void assertThatItLooksTheSameInAList(Run run) {
    var alone = given().get("/v1/tickets/" + run.ticket().ticketId()).asString();
    assertThat(given().get("/v1/tickets?asset_id=" + asset).asString()).contains(alone);
  }

  @Test
  void a_list_shows_what_the_ledger_does_not_have_yet_and_each_ticket_once() {
    var first = finished();
    projection.project(lanes.of(asset));
    var second = finished();
    var list = given().get("/v1/tickets?asset_id=" + asset).then().statusCode(200);
    list.body("items.size()", equalTo(2));
    list.body("items[0].ticket_id", equalTo(second)).body("items[1].ticket_id", equalTo(first));
    var page = given().get("/v1/tickets?limit=1&asset_id=" + asset).jsonPath();
    assertThat(page.getString("items[0].ticket_id")).isEqualTo(second);
    given()
        .get(
            "/v1/tickets?limit=1&asset_id=%s&page_token=%s"
                .formatted(asset, page.getString("next_page_token")))
        .then()
        .body("items[0].ticket_id", equalTo(first))
        .body("next_page_token", equalTo(null));
  }

  @Test
  void a_correction_is_seen_at_once_though_the_ledger_has_the_older_state() {
    var ticket = finished();
    projection.project(lanes.of(asset));
    correct(ticket, "gone");
    given()
        .get("/v1/tickets?status=FAILED&asset_id=" + asset)
        .then()
        .body("items.size()", equalTo(1));
    given()
        .get("/v1/tickets?status=FINISHED&asset_id=" + asset)
        .then()
        .body("items.size()", equalTo(0));
  }

  @Test
  void secrets_in_a_reason_reach_neither_redis_nor_postgresql() throws SQLException {
    var ticket = finished();
    correct(
        ticket,
        "password=hunter2, Bearer abcdef0123456789, card 4111 1111 1111 1111, id 11010519491231002X");
    var events =
        redis
            .send(
                Request.cmd(Command.XRANGE)
                    .arg("audit:{" + lanes.of(asset).number() + "}:events")
                    .arg("-")
                    .arg("+"))
            .await()
            .atMost(Duration.ofSeconds(10))
            .toString();
    assertNoSecretIn(events);
    projection.project(lanes.of(asset));
    var shown =
        given()
            .get("/v1/audit?resource_id=" + ticket + "&action=TICKET_CORRECTED")
            .then()
            .statusCode(200)
            .body("items.size()", equalTo(1))
            .extract()
            .asString();
    assertThat(shown).contains("***");
    assertNoSecretIn(shown);
    try (var connection = database.getConnection();
        var rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT answer FROM ticket_view WHERE ticket_id = '" + ticket + "'")) {
      assertThat(rows.next()).isTrue();
      assertNoSecretIn(rows.getString(1));
    }
  }

  @Test
  void a_secret_in_what_a_person_says_of_a_notification_reaches_nobody() {
    var ticket = finished();
    inDoubt(ticket);
    settle(ticket, "password=hunter2").then().statusCode(200);
    projection.project(lanes.of(asset));
    var history = given().get("/v1/audit?resource_id=" + ticket).asString();
    var shown = given().get("/v1/tickets/" + ticket).asString();
    forget(ticket);
    assertThat(shown).contains("settled: password=***");
    assertThat(given().get("/v1/tickets/" + ticket).asString()).isEqualTo(shown);
    assertNoSecretIn(history);
  }

  @Test
  void changes_of_assets_stand_in_history_with_who_made_them() {
    register();
    given().header("User-Agent", "curl/8.5").delete("/v1/assets/" + asset).then().statusCode(204);
    var shown = projected("/v1/audit?resource_type=asset&resource_id=" + asset, 3);
    assertThat(shown).contains("ASSET_PUT", "INVENTORY_PUT", "ASSET_DELETED", "curl/8.5");
  }

  /** The trail hands over when it can. */
  private String projected(String path, int events) {
    var end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (true) {
      projection.project(lanes.of(asset));
      var answer = given().get(path).then().statusCode(200).extract();
      if (answer.jsonPath().getList("items").size() >= events) {
        return answer.asString();
      }
      assertThat(System.nanoTime()).as(answer.asString()).isLessThan(end);
    }
  }

  /** A run of nobody but this test. */
  private Run opened() {
    var origin = Origin.ofService(Trace.fresh(new byte[Trace.SEED_BYTES]));
    var opening = tickets.open(asset, new Entropy().freshId(), origin, true, true);
    return ((Opening.Opened) await(opening)).run();
  }

  /** As a crash in the middle of a call leaves it, where nobody may be told twice. */
  private void inDoubt(String ticket) {
    var doubt = new Notification("ops", DeliveryState.UNCERTAIN, 1, ticket + ":ops", null);
    await(
        redis.send(
            Request.cmd(Command.HSET)
                .arg(key(ticket))
                .arg("notifications")
                .arg(hash.notifications(List.of(doubt)))));
  }

  private static Response settle(String ticket, String reason) {
    return given()
        .contentType(ContentType.JSON)
        .body(Map.of("state", "NOTIFIED", "reason", reason))
        .post("/v1/tickets/" + ticket + "/notifications/ops/settle");
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(10));
  }

  private static void assertNoSecretIn(String text) {
    assertThat(text)
        .doesNotContain("hunter2", "abcdef0123456789", "1111 1111", "11010519491231002X");
  }

  private void correct(String ticket, String reason) {
    given()
        .contentType(ContentType.JSON)
        .body(Map.of("status", "FAILED", "reason", reason))
        .post("/v1/tickets/" + ticket + "/corrections")
        .then()
        .statusCode(200);
  }

  private void register() {
    given()
        .contentType(ContentType.JSON)
        .body(Map.of("address", "heartbeat:"))
        .put("/v1/assets/" + asset);
    given()
        .contentType(ContentType.JSON)
        .body("{\"components\": []}")
        .put("/v1/assets/" + asset + "/inventory");
  }

  /** Never heard of, so it is offline, and its ticket ends without a further step. */
  private String finished() {
    register();
    return given()
        .contentType(ContentType.JSON)
        .header("Prefer", "wait=30")
        .body(Map.of("force", true))
        .post("/v1/assets/" + asset + "/assessments")
        .then()
        .statusCode(200)
        .body("status", equalTo("FINISHED"))
        .extract()
        .path("ticket_id");
  }

  private void forget(String ticket) {
    redis
        .send(
            Request.cmd(Command.DEL)
                .arg(key(ticket))
                .arg(key(ticket).replace(":ticket:", ":refused:")))
        .await()
        .atMost(Duration.ofSeconds(10));
  }

  private String key(String ticket) {
    return "assessment:{" + lanes.of(asset).number() + "}:ticket:" + ticket;
  }
}
