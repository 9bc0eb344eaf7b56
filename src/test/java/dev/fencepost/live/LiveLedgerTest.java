package dev.fencepost.live;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import dev.fencepost.command.CommandKeys;
import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.audit.ledger.ProjectByHand;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Sessions and their commands outlive Redis, and lists show what was just written. */
@QuarkusTest
class LiveLedgerTest {

  @Inject ProjectByHand projection;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;

  private final String device = "cam-" + UUID.randomUUID();

  @Test
  void what_redis_has_forgotten_is_answered_from_the_ledger_word_for_word() {
    startAndStop("one");
    var session = get("/v1/devices/" + device + "/live");
    var command = get("/v1/commands/" + commandId("one"));
    var commands = get("/v1/devices/" + device + "/commands");
    project();
    forget("one");
    assertThat(get("/v1/devices/" + device + "/live")).isEqualTo(session);
    assertThat(get("/v1/commands/" + commandId("one"))).isEqualTo(command);
    assertThat(get("/v1/devices/" + device + "/commands")).isEqualTo(commands);
    assertThat(listed("stopped")).contains("one");
  }

  @Test
  void what_redis_forgot_before_the_ledger_looked_is_told_from_its_events() {
    start("late");
    given()
        .body("{\"session_id\": \"late\"}")
        .post("/v1/devices/" + device + "/live/heartbeat")
        .then()
        .statusCode(204);
    stop("late");
    apply(commandId("late"));
    var session = JsonPath.from(get("/v1/devices/" + device + "/live"));
    var command = JsonPath.from(get("/v1/commands/" + commandId("late")));
    forget("late");
    project();
    var told = JsonPath.from(get("/v1/devices/" + device + "/live"));
    for (var field :
        List.of(
            "session_id",
            "status",
            "started_at",
            "last_heartbeat_at",
            "stopped_at",
            "stopped_by",
            "reason",
            "confirmation",
            "command_id",
            "stop_requested_at")) {
      assertThat(told.getString(field)).as(field).isEqualTo(session.getString(field));
    }
    assertThat(told.getString("last_heartbeat_at")).isNotEqualTo(told.getString("started_at"));
    assertThat(listed("stopped")).containsExactly("late");
    var commands = JsonPath.from(get("/v1/devices/" + device + "/commands"));
    assertThat(commands.getList("items.command_id")).containsExactly(commandId("late"));
    var toldCommand = JsonPath.from(get("/v1/commands/" + commandId("late")));
    for (var field :
        List.of(
            "device_id",
            "session_id",
            "type",
            "status",
            "sends",
            "reason",
            "created_at",
            "acked_at",
            "applied_at",
            "detail")) {
      assertThat(toldCommand.getString(field)).as(field).isEqualTo(command.getString(field));
    }
  }

  @Test
  void an_end_that_comes_after_redis_has_forgotten_is_added_to_what_the_ledger_knew() {
    start("slow");
    stop("slow");
    project();
    apply(commandId("slow"));
    forget("slow");
    project();
    given()
        .get("/v1/devices/" + device + "/live")
        .then()
        .body("status", equalTo("stopped"))
        .body("confirmation", equalTo("applied"));
    given()
        .get("/v1/commands/" + commandId("slow"))
        .then()
        .body("status", equalTo("applied"))
        .body("detail", equalTo("lens cap on"));
  }

  @Test
  void a_list_shows_what_was_just_written_and_not_what_the_ledger_still_believes() {
    start("now");
    project();
    stop("now");
    given()
        .get("/v1/live?status=live&limit=500")
        .then()
        .body("items.device_id", not(hasItem(device)));
    given()
        .get("/v1/live?status=stopping&limit=500")
        .then()
        .body("items.device_id", hasItem(device));
  }

  @Test
  void pages_give_each_session_and_command_once_wherever_it_lies() {
    var sessions = List.of("s1", "s2", "s3", "s4", "s5");
    sessions.forEach(this::startAndStop);
    project();
    forget("s1");
    forget("s3");
    var seen = new ArrayList<String>();
    var path = "/v1/devices/" + device + "/commands?limit=2";
    var token = "";
    while (token != null) {
      var page = JsonPath.from(get(path + (token.isEmpty() ? "" : "&page_token=" + token)));
      seen.addAll(page.getList("items.session_id", String.class));
      token = page.getString("next_page_token");
    }
    assertThat(seen).containsExactly("s5", "s4", "s3", "s2", "s1");
    assertThat(listed("stopped")).containsExactly("s5", "s4", "s3", "s2", "s1");
  }

  /** This device's sessions in all pages of the list. */
  private List<String> listed(String status) {
    var seen = new ArrayList<String>();
    var token = "";
    while (token != null) {
      var page =
          JsonPath.from(
              get(
                  "/v1/live?limit=3&status="
                      + status
                      + (token.isEmpty() ? "" : "&page_token=" + token)));
      for (var i = 0; i < page.getList("items").size(); i++) {
        if (page.getString("items[" + i + "].device_id").equals(device)) {
          seen.add(page.getString("items[" + i + "].session_id"));
        }
      }
      token = page.getString("next_page_token");
    }
    return seen;
  }

  private void startAndStop(String session) {
    start(session);
    stop(session);
    apply(commandId(session));
  }

  private void start(String session) {
    given()
        .body("{\"session_id\": \"" + session + "\"}")
        .post("/v1/devices/" + device + "/live")
        .then()
        .statusCode(201);
  }

  private void stop(String session) {
    given()
        .body("{\"session_id\": \"" + session + "\", \"reason\": \"enough\"}")
        .post("/v1/devices/" + device + "/live/stop")
        .then()
        .statusCode(200)
        .body("result", equalTo("accepted"));
  }

  private static void apply(String command) {
    given()
        .body("{\"success\": true, \"detail\": \"lens cap on\"}")
        .post("/v1/commands/" + command + "/applied")
        .then()
        .statusCode(204);
  }

  private String get(String path) {
    return given().get(path).then().statusCode(200).extract().asString();
  }

  private void project() {
    projection.project(lanes.of(device));
  }

  private String commandId(String session) {
    return CommandKeys.of(keys(session)).commandId();
  }

  private SessionKeys keys(String session) {
    return new SessionKeys(lanes.of(device), device, session);
  }

  /** As Redis does after 24 h. */
  private void forget(String session) {
    var keys = keys(session);
    var newest = send(Command.HGET, keys.newest(), "session_id");
    if (session.equals(newest)) {
      send(Command.DEL, keys.newest());
    }
    send(Command.DEL, keys.past());
    send(Command.DEL, CommandKeys.of(keys).command());
    send(Command.ZREM, keys.stopped(), keys.member());
    send(Command.ZREM, CommandKeys.of(keys).ofDevice(), commandId(session));
  }

  private String send(Command command, String... args) {
    var request = Request.cmd(command);
    for (var arg : args) {
      request.arg(arg);
    }
    var answer = redis.send(request).await().atMost(Duration.ofSeconds(10));
    return answer == null ? "" : answer.toString();
  }
}
