package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.WatchedRoad;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** The main job, over HTTP, on real stores and real advisories. */
@QuarkusTest
class AssessmentTest {

  private static final String LOG4J = "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1";

  @ConfigProperty(name = "test.webhook")
  String webhook;

  @Inject WatchedRoad road;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;

  @TestHTTPResource("/")
  URI here;

  private final String asset = "asset-" + UUID.randomUUID();

  @Test
  void log4shell_on_an_online_asset_is_high_and_told_exactly_once() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J, "pkg:npm/left@x.y");

    var ticketId =
        assess()
            .statusCode(200)
            .header("Preference-Applied", "wait=30")
            .body("status", equalTo("FINISHED"))
            .body("attempts", equalTo(1))
            .body("completed_steps", equalTo(Arrays.stream(Step.values()).map(Step::name).toList()))
            .body("online.reachable", equalTo(true))
            .body("online.method", equalTo("tcp"))
            .body("verdict.level", equalTo("HIGH"))
            .body("verdict.evidence.advisory_source", equalTo("local"))
            .body("verdict.evidence.kev_catalog_version", equalTo("2025.08.25"))
            .body("findings.vulnerability_id", hasItem("GHSA-jfh8-c2jp-5v3q"))
            .body(
                "findings.find { it.vulnerability_id == 'GHSA-jfh8-c2jp-5v3q' }.known_exploited",
                equalTo("yes"))
            .body(
                "findings.find { it.vulnerability_id == 'GHSA-jfh8-c2jp-5v3q' }.aliases",
                hasItem("CVE-2021-44228"))
            .body("unevaluated[0].reason", equalTo("version is not SemVer"))
            .body("notifications[0].state", equalTo("NOTIFIED"))
            .body("notifications[0].sends", equalTo(1))
            .body("stale_writes_refused", equalTo(0))
            .body("created_at", matchesPattern("\\d{4}-.*T.*\\.\\d{3}Z"))
            .body("online.checked_at", matchesPattern("\\d{4}-.*T.*\\.\\d{3}Z"))
            .extract()
            .<String>path("ticket_id");

    var told = told(ticketId);
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .matches(ticketId + ":ops \\d{16} 00-[0-9a-f]{32}-[0-9a-f]{16}-01 .*" + asset + ".*");
  }

  @Test
  void a_finished_ticket_answers_at_once_until_the_asset_changes_or_force_asks() {
    register("tcp://127.0.0.1:" + here.getPort(), "pkg:npm/left-pad@1.3.0");
    var first = assess().statusCode(200).extract();
    var id = first.<String>path("ticket_id");

    var again = assess().statusCode(200).header("X-Fencepost-Cached", "true").extract();
    assertThat(again.body().asString()).isEqualTo(first.body().asString());

    assess("{\"force\": true}")
        .statusCode(200)
        .header("X-Fencepost-Cached", nullValue())
        .body("ticket_id", org.hamcrest.Matchers.not(id));
    inventory("pkg:npm/left-pad@1.2.0");
    assess().header("X-Fencepost-Cached", nullValue());
  }

  @Test
  void a_five_step_assessment_takes_six_round_trips() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J);
    var ticket = assess().statusCode(200).extract().<String>path("ticket_id");
    assertThat(
            road
                .tripsFor(
                    operands ->
                        !isOfTheTrail(operands)
                            && (operands.contains(asset) || operands.contains(ticket)))
                .stream()
                .filter(trip -> !trip.equals("fence/renew") && !trip.equals("assessment/forget")))
        .containsExactly(
            "hmget",
            "assessment/open",
            "assessment/record",
            "assessment/record",
            "assessment/record",
            "assessment/record");
  }

  @Test
  void the_fast_filter_is_one_command() {
    register("tcp://127.0.0.1:" + here.getPort(), "pkg:npm/left-pad@1.3.0");
    assess().statusCode(200);
    var before = tripsForAsset();
    assess().header("X-Fencepost-Cached", "true");
    assertThat(tripsForAsset()).isEqualTo(before + 1);
  }

  private int tripsForAsset() {
    return road.tripsFor(operands -> !isOfTheTrail(operands) && operands.contains(asset)).size();
  }

  /** Registering an asset is an event too, which is told when there is time. */
  private static boolean isOfTheTrail(String operands) {
    return operands.contains("process_sequence");
  }

  @Test
  void an_offline_asset_is_not_assessed_and_nobody_is_alarmed() {
    register("heartbeat:", LOG4J);
    var ticket =
        assess()
            .statusCode(200)
            .body("status", equalTo("FINISHED"))
            .body("online.reachable", equalTo(false))
            .body("verdict.level", equalTo("UNKNOWN"))
            .body("verdict.reasons[0]", equalTo("not assessed: offline"))
            .body("findings", empty())
            .body("notifications", empty())
            .extract()
            .<String>path("ticket_id");
    assertThat(told(ticket)).isEmpty();
  }

  @Test
  void a_refused_port_means_the_host_is_online() {
    register("tcp://127.0.0.1:1", "pkg:npm/left-pad@1.3.0");
    assess()
        .body("online.reachable", equalTo(true))
        .body("online.evidence", containsString("refused"));
  }

  @Test
  void a_probe_that_is_not_possible_is_a_failed_step_that_will_be_repeated() {
    register("tcp://no-such-host.invalid:80", LOG4J);
    given()
        .header("Prefer", "wait=2")
        .post("/v1/assets/{id}/assessments", asset)
        .then()
        .statusCode(202)
        .body("status", equalTo("INIT"))
        .body("last_failed_step", equalTo("ONLINE_CHECK"))
        .body("last_error", containsString("no-such-host.invalid"))
        .body("attempts", greaterThan(0));
  }

  @Test
  void an_unknown_asset_is_a_problem_with_a_trace() {
    assess()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("type", equalTo("urn:fencepost:problem:asset-not-found"))
        .body("trace_id", matchesPattern("[0-9a-f]{32}"))
        .body("instance", equalTo("/v1/assets/" + asset + "/assessments"));
  }

  @Test
  void bad_input_is_named() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J);
    assess("{\"forse\": true}").statusCode(400).body("errors[0].field", equalTo("forse"));
    assess("{\"force\": \"yes\"}").statusCode(400).body("errors[0].field", equalTo("force"));
    assess("{\"force\": tr").statusCode(400).body("detail", containsString("line 1"));
    given().post("/v1/assets/-bad/assessments").then().statusCode(400);
    given()
        .get("/v1/tickets?limit=501")
        .then()
        .statusCode(400)
        .body("errors[0].field", equalTo("limit"));
    given().get("/v1/tickets?status=DONE").then().statusCode(400);
    given().get("/v1/tickets?page_token=garbage").then().statusCode(400);
    given().get("/v1/tickets/nonsense").then().statusCode(404);
    given().delete("/v1/tickets").then().statusCode(405).contentType("application/problem+json");
    given().get("/v1/nowhere").then().statusCode(404).contentType("application/problem+json");
  }

  @Test
  void an_inventory_that_is_missing_is_unknown_not_clean() {
    put("/v1/assets/" + asset, "{\"address\": \"tcp://127.0.0.1:" + here.getPort() + "\"}");
    assess()
        .body("status", equalTo("FINISHED"))
        .body("verdict.level", equalTo("UNKNOWN"))
        .body("verdict.reasons[0]", startsWith("not assessed: no inventory"));
  }

  @Test
  void the_events_of_a_ticket_can_be_followed_from_any_point() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J);
    var ticket = assess().extract().<String>path("ticket_id");
    var all = events(ticket, "0");
    assertThat(all)
        .containsSubsequence(
            "INIT",
            "ASSET_ONLINE",
            "VULN_CHECK_DONE",
            "HIGH_RISK_FOUND",
            "NOTIFYING",
            "NOTIFIED",
            "FINISHED");
    assertThat(all).contains("id:1\n").contains("id:7\n");
    assertThat(events(ticket, "5"))
        .doesNotContain("id:5\n")
        .contains("id:6\n")
        .contains("FINISHED");
    given().get("/v1/tickets/{id}/events", "t1-00000000000000000000000000").then().statusCode(404);
  }

  @Test
  void tickets_are_listed_newest_first_page_by_page() {
    register("tcp://127.0.0.1:" + here.getPort(), "pkg:npm/left-pad@1.3.0");
    var first = assess("{\"force\": true}").extract().<String>path("ticket_id");
    var second = assess("{\"force\": true}").extract().<String>path("ticket_id");
    var page =
        given()
            .get("/v1/tickets?asset_id={id}&limit=1", asset)
            .then()
            .statusCode(200)
            .body("items.ticket_id", equalTo(List.of(second)))
            .extract();
    given()
        .get(
            "/v1/tickets?asset_id={id}&limit=1&page_token={t}", asset, page.path("next_page_token"))
        .then()
        .body("items.ticket_id", equalTo(List.of(first)));
    given()
        .get("/v1/tickets?asset_id={id}&status=FAILED", asset)
        .then()
        .body("items", empty())
        .body("next_page_token", nullValue());
  }

  @Test
  void a_channel_that_is_down_is_told_later_under_the_same_key() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J);
    answerWith(500);
    String ticket;
    try {
      ticket =
          given()
              .header("Prefer", "wait=1")
              .post("/v1/assets/{id}/assessments", asset)
              .then()
              .statusCode(202)
              .body("status", equalTo("NOTIFYING"))
              .body("last_failed_step", equalTo("NOTIFICATION"))
              .body("last_error", containsString("ops: "))
              .body("notifications[0].state", equalTo("PENDING"))
              .extract()
              .path("ticket_id");
    } finally {
      answerWith(204);
    }
    assess()
        .statusCode(200)
        .body("status", equalTo("FINISHED"))
        .body("notifications[0].state", equalTo("NOTIFIED"))
        .body("notifications[0].sends", greaterThan(1));
    assertThat(told(ticket)).hasSizeGreaterThan(1).allMatch(l -> l.startsWith(ticket + ":ops "));
  }

  @Test
  void a_channel_that_refuses_for_good_fails_the_ticket_and_says_that_nobody_knows() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J);
    answerWith(410);
    try {
      assess()
          .statusCode(200)
          .body("status", equalTo("FAILED"))
          .body("last_error", equalTo("nobody is known to be told"))
          .body("notifications[0].state", equalTo("FAILED"));
    } finally {
      answerWith(204);
    }
  }

  @Test
  void only_doubt_can_be_settled() {
    register("tcp://127.0.0.1:" + here.getPort(), LOG4J);
    var ticket = assess().extract().<String>path("ticket_id");
    var path = "/v1/tickets/" + ticket + "/notifications/ops/settle";
    post(path, "{\"state\": \"NOTIFIED\", \"reason\": \"seen\"}").statusCode(409);
    post(path, "{\"state\": \"PENDING\", \"reason\": \"seen\"}").statusCode(400);

    var lane = lanes.of(asset);
    redis
        .send(
            Request.cmd(Command.HSET)
                .arg(new TicketKeys(lane, asset, ticket).ticket())
                .arg("notifications")
                .arg(
                    "[{\"channel\":\"ops\",\"state\":\"UNCERTAIN\",\"sends\":1,"
                        + "\"idempotency_key\":\"k\",\"last_error\":null}]"))
        .await()
        .indefinitely();
    post(path, "{\"state\": \"NOTIFIED\", \"reason\": \"seen on the wall\"}")
        .statusCode(200)
        .body("notifications[0].state", equalTo("NOTIFIED"))
        .body("notifications[0].last_error", containsString("seen on the wall"));
    post(path.replace("ops", "nowhere"), "{\"state\": \"FAILED\", \"reason\": \"x\"}")
        .statusCode(404);
  }

  @Test
  void a_person_can_end_a_ticket_and_retry_a_failed_one() {
    register("tcp://127.0.0.1:" + here.getPort(), "pkg:npm/left-pad@1.3.0");
    var finished = assess().extract();
    var id = finished.<String>path("ticket_id");
    var token = finished.<Number>path("fencing_token").longValue();

    given().post("/v1/tickets/{id}/retry", id).then().statusCode(409);
    post("/v1/tickets/" + id + "/corrections", "{\"status\": \"INIT\", \"reason\": \"x\"}")
        .statusCode(400);
    post(
            "/v1/tickets/" + id + "/corrections",
            "{\"status\": \"FAILED\", \"reason\": \"wrong host\"}")
        .statusCode(200)
        .body("status", equalTo("FAILED"))
        .body("last_error", containsString("wrong host"))
        .body("fencing_token", greaterThan(token));
    given().post("/v1/tickets/{id}/retry", id).then().statusCode(202);
    assess().body("ticket_id", equalTo(id)).body("status", equalTo("FINISHED"));
  }

  private void register(String address, String... purls) {
    put("/v1/assets/" + asset, "{\"address\": \"" + address + "\"}");
    inventory(purls);
  }

  private void inventory(String... purls) {
    var components =
        String.join(",", Arrays.stream(purls).map(p -> "{\"purl\": \"" + p + "\"}").toList());
    put("/v1/assets/" + asset + "/inventory", "{\"components\": [" + components + "]}");
  }

  private ValidatableResponse assess() {
    return given().header("Prefer", "wait=30").post("/v1/assets/{id}/assessments", asset).then();
  }

  private ValidatableResponse assess(String body) {
    return given()
        .header("Prefer", "wait=30")
        .contentType("application/json")
        .body(body)
        .post("/v1/assets/{id}/assessments", asset)
        .then();
  }

  private static void put(String path, String body) {
    given()
        .contentType("application/json")
        .body(body)
        .put(path)
        .then()
        .statusCode(org.hamcrest.Matchers.lessThan(300));
  }

  private static ValidatableResponse post(String path, String body) {
    return given().contentType("application/json").body(body).post(path).then();
  }

  private static String events(String ticket, String after) {
    return given()
        .header("Last-Event-ID", after)
        .get("/v1/tickets/{id}/events", ticket)
        .then()
        .statusCode(200)
        .extract()
        .body()
        .asString();
  }

  private void answerWith(int status) {
    given().body(Integer.toString(status)).put(webhook + "/answer").then().statusCode(204);
  }

  private List<String> told(String ticket) {
    return given()
        .get(webhook + "/seen")
        .body()
        .asString()
        .lines()
        .filter(line -> line.startsWith(ticket))
        .toList();
  }
}
