package dev.fencepost.live;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.fencepost.LogLines;
import dev.fencepost.LoggedIn;
import dev.fencepost.command.CommandKeys;
import dev.fencepost.command.SessionKeys;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One session, one stop: over HTTP, on a real Redis, beside the running sweepers. */
@QuarkusTest
class LiveTest {

  private static final String TRACE = "00-11111111111111111111111111111111-2222222222222222-01";
  private static final long TIMEOUT_MS = 30_000;

  @Inject LiveStore sessions;
  @Inject LiveViewStore views;
  @Inject HeartbeatSweep sweep;
  @Inject RedisRoad redis;

  @TestHTTPResource("/")
  URI here;

  private final String device = "cam-" + UUID.randomUUID();

  @Test
  void a_session_is_started_once_and_found_again() {
    start("one")
        .statusCode(201)
        .body("device_id", equalTo(device))
        .body("session_id", equalTo("one"))
        .body("status", equalTo("live"))
        .body("started_at", matchesPattern("\\d{4}-.*T.*\\.\\d{3}Z"))
        .body("command_id", nullValue());
    start("one").statusCode(200).body("status", equalTo("live"));
    session().statusCode(200).body("session_id", equalTo("one"));
    given().get("/v1/devices/nobody-" + device + "/live").then().statusCode(404);
  }

  @Test
  void a_session_without_a_name_gets_one() {
    given()
        .post("/v1/devices/" + device + "/live")
        .then()
        .statusCode(201)
        .body("session_id", notNullValue());
  }

  @Test
  void of_two_hundred_stops_at_once_one_is_accepted_and_all_name_the_same_command() {
    start("many").statusCode(201);
    var client = HttpClient.newHttpClient();
    var request =
        HttpRequest.newBuilder(here.resolve("/v1/devices/" + device + "/live/stop"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    var answers =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    client.sendAsync(
                        LoggedIn.asAdmin(request), HttpResponse.BodyHandlers.ofString()))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
    assertThat(answers.stream().filter(a -> a.body().contains("\"accepted\""))).hasSize(1);
    assertThat(answers.stream().filter(a -> a.body().contains("\"command_issued\":true")))
        .hasSize(1);
    assertThat(answers).allMatch(answer -> answer.body().contains(commandId("many")));
    assertThat(commandsOfDevice()).containsExactly(commandId("many"));
  }

  @Test
  void a_stop_is_a_result_and_never_an_error() {
    stop("{}")
        .body("result", equalTo("no_session"))
        .body("status", nullValue())
        .body("session_id", nullValue())
        .body("command_id", nullValue())
        .body("command_issued", equalTo(false));
    start("s").statusCode(201);
    stop("{\"session_id\": \"s\", \"reason\": \"enough\"}")
        .body("result", equalTo("accepted"))
        .body("status", equalTo("stopping"))
        .body("session_id", equalTo("s"))
        .body("command_id", equalTo(commandId("s")))
        .body("command_issued", equalTo(true));
    stop("").body("result", equalTo("already_stopping")).body("command_issued", equalTo(false));
    apply(commandId("s"));
    stop("{\"session_id\": \"s\"}")
        .body("result", equalTo("already_stopped"))
        .body("status", equalTo("stopped"))
        .body("command_id", equalTo(commandId("s")));
    session()
        .body("status", equalTo("stopped"))
        .body("stopped_by", equalTo("user"))
        .body("reason", equalTo("enough"))
        .body("confirmation", equalTo("applied"));
  }

  @Test
  void a_stop_that_names_an_old_session_changes_nothing() {
    start("old").statusCode(201);
    start("new").statusCode(201);
    var before = hash(keys("new").newest());

    stop("{\"session_id\": \"old\"}")
        .body("result", equalTo("superseded"))
        .body("session_id", equalTo("old"))
        .body("status", equalTo("stopping"))
        .body("command_id", equalTo(commandId("old")));
    stop("{\"session_id\": \"never-was\"}").body("result", equalTo("superseded"));

    assertThat(hash(keys("new").newest())).isEqualTo(before);
    assertThat(commandsOfDevice()).containsExactly(commandId("old"));
  }

  @Test
  void a_session_replaced_while_its_stop_is_in_flight_leaves_the_new_one_live() {
    start("first").statusCode(201);
    stop("{}").body("result", equalTo("accepted"));
    start("second").statusCode(201);
    apply(commandId("first"));

    session().body("session_id", equalTo("second")).body("status", equalTo("live"));
    var first = known("first");
    assertThat(first.status()).isEqualTo(LiveStatus.STOPPED);
    assertThat(first.stoppedBy()).isEqualTo(StoppedBy.USER);
    assertThat(first.confirmation()).isEqualTo(Confirmation.APPLIED);
  }

  @Test
  void a_session_that_takes_the_place_of_a_live_one_stops_it_with_a_command_of_its_own() {
    start("first").statusCode(201);
    start("second").statusCode(201).body("status", equalTo("live"));
    var first = known("first");
    assertThat(first.status()).isEqualTo(LiveStatus.STOPPING);
    assertThat(first.stoppedBy()).isEqualTo(StoppedBy.SUPERSEDED);
    assertThat(first.commandId()).isEqualTo(commandId("first"));
  }

  @Test
  void starts_at_once_leave_one_session_live_and_each_other_with_its_one_stop() {
    var names = IntStream.range(0, 8).mapToObj(i -> "race-" + i).toList();
    var client = HttpClient.newHttpClient();
    var answers =
        names.stream()
            .map(
                name ->
                    client.sendAsync(
                        LoggedIn.asAdmin(
                            HttpRequest.newBuilder(here.resolve("/v1/devices/" + device + "/live"))
                                .POST(HttpRequest.BodyPublishers.ofString(named(name)))
                                .build()),
                        HttpResponse.BodyHandlers.ofString()))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();
    assertThat(answers).allMatch(answer -> answer.statusCode() == 201);
    var live = session().extract().<String>path("session_id");
    assertThat(commandsOfDevice())
        .containsExactlyInAnyOrderElementsOf(
            names.stream().filter(name -> !name.equals(live)).map(this::commandId).toList());
  }

  @Test
  void a_session_id_has_one_life() {
    start("once").statusCode(201);
    stop("{}");
    start("once").statusCode(409).body("type", equalTo("urn:fencepost:problem:session-ended"));
    apply(commandId("once"));
    start("once").statusCode(409);
    start("other").statusCode(201);
    start("once").statusCode(409);
    session().body("session_id", equalTo("other")).body("status", equalTo("live"));
  }

  @Test
  void a_heartbeat_counts_while_its_session_is_live_and_is_410_afterwards() {
    start("beat").statusCode(201);
    var before = session().extract().<String>path("last_heartbeat_at");
    heartbeat(named("beat")).statusCode(204);
    assertThat(session().extract().<String>path("last_heartbeat_at"))
        .isGreaterThanOrEqualTo(before);
    heartbeat(named("else")).statusCode(410);
    heartbeat("{}").statusCode(400).body("errors[0].field", equalTo("session_id"));
    heartbeat("{\"session\": \"beat\"}").statusCode(400);
    stop("{}");
    heartbeat(named("beat"))
        .statusCode(410)
        .body("type", equalTo("urn:fencepost:problem:session-not-live"));
  }

  @Test
  void a_silent_device_is_stopped_once_by_any_number_of_replicas() {
    start("quiet").statusCode(201);
    heardLast("quiet", TIMEOUT_MS + 1);
    await(
        Uni.join()
            .all(sweep.sweep(), sweep.sweep(), sweep.sweep())
            .andFailFast()
            .replaceWithVoid());

    session()
        .body("status", equalTo("stopping"))
        .body("stopped_by", equalTo("heartbeat_timeout"))
        .body("command_id", equalTo(commandId("quiet")));
    assertThat(commandsOfDevice()).hasSize(1);
    assertThat(events("LIVE_STOP_REQUESTED")).isEqualTo(1);
  }

  @Test
  void a_session_that_silence_stops_is_one_line_about_its_device_for_who_listens_closely() {
    start("quiet").statusCode(201);
    try (var lines = LogLines.of(HeartbeatSweep.class.getName())) {
      heardLast("quiet", TIMEOUT_MS + 1);
      await(sweep.sweep());

      var line = lines.with("session quiet of " + device);
      assertThat(line.level()).isEqualTo("DEBUG");
      assertThat(line.facts())
          .containsEntry("device_id", device)
          .containsEntry("lane", Integer.toString(keys("quiet").lane().number()))
          .containsKey("trace_id")
          .hasSize(3);
    }
  }

  @Test
  void a_device_that_was_heard_in_time_is_left_alone_whatever_the_sweeper_believed() {
    start("heard").statusCode(201);
    send(Command.ZADD, SessionKeys.active(keys("heard").lane()), "1", device);
    await(sweep.sweep());
    var origin = Origin.ofService(Trace.parse(TRACE).orElseThrow());

    var stopped =
        await(
            sessions.stop(keys("heard"), Stop.afterSilence(Duration.ofMillis(TIMEOUT_MS), origin)));

    assertThat(stopped.answer()).isEqualTo(Stopped.Answer.NOT_DUE);
    session().body("status", equalTo("live"));
    assertThat(events("LIVE_STOP_REQUESTED")).isZero();
  }

  @Test
  void the_lock_of_the_one_stop_lies_where_it_is_said_to_and_nothing_deletes_it() {
    start("locked").statusCode(201);
    var session = keys("locked");
    var lane = session.lane().number();
    assertThat(session.stopLock())
        .isEqualTo("live:{" + lane + "}:session:" + device + ":stop-lock:locked");
    assertThat(send(Command.ZSCORE, "live:{" + lane + "}:session:active", device)).isNotNull();
    stop("{}");
    apply(commandId("locked"));
    assertThat(send(Command.GET, session.stopLock()).toString()).isEqualTo(commandId("locked"));
    assertThat(send(Command.PTTL, session.stopLock()).toLong()).isBetween(1L, 60_000L);
    assertThat(send(Command.ZSCORE, "live:{" + lane + "}:session:active", device)).isNull();
  }

  @Test
  void a_session_has_one_stop_although_its_lock_has_run_out() {
    start("late").statusCode(201);
    stop("{}").body("result", equalTo("accepted"));
    send(Command.DEL, keys("late").stopLock());
    stop("{}")
        .body("result", equalTo("already_stopping"))
        .body("command_id", equalTo(commandId("late")));
    apply(commandId("late"));
    send(Command.DEL, keys("late").stopLock());
    stop("{}").body("result", equalTo("already_stopped"));
    assertThat(commandsOfDevice()).hasSize(1);
  }

  @Test
  void a_stop_needs_the_lock_even_if_the_session_were_said_to_be_live_again() {
    start("twice").statusCode(201);
    stop("{}").body("result", equalTo("accepted"));
    send(Command.HSET, keys("twice").newest(), "status", "live");
    stop("{}")
        .body("result", equalTo("already_stopping"))
        .body("command_id", equalTo(commandId("twice")))
        .body("command_issued", equalTo(false));
    assertThat(events("LIVE_STOP_REQUESTED")).isEqualTo(2);
  }

  @Test
  void devices_may_have_any_allowed_name() {
    for (var name : List.of("active", "a:stop-lock:b", "a:stop-lock", "a")) {
      var unique = name.equals("active") ? name : name + device;
      var path = "/v1/devices/" + unique + "/live";
      given().body(named("x:stop-lock")).post(path).then().statusCode(201);
      given().body("{}").post(path + "/stop").then().body("result", equalTo("accepted"));
    }
    given().get("/v1/devices/-x/live").then().statusCode(400);
    given().body(named("a b")).post("/v1/devices/x/live").then().statusCode(400);
  }

  @Test
  void pages_show_each_session_once_newest_first() {
    var mine = new ArrayList<String>();
    for (var i = 0; i < 7; i++) {
      var name = device + "-" + i;
      mine.add(name);
      given().body(named("s")).post("/v1/devices/" + name + "/live").then().statusCode(201);
    }
    given().body("{}").post("/v1/devices/" + mine.get(3) + "/live/stop");

    assertThat(listed("").stream().filter(mine::contains).toList())
        .containsExactlyElementsOf(reversed(mine));
    assertThat(listed("&status=stopping")).contains(mine.get(3)).doesNotContain(mine.get(2));
    assertThat(listed("&status=live")).contains(mine.get(2)).doesNotContain(mine.get(3));
    given().get("/v1/live?status=asleep").then().statusCode(400);
    given().get("/v1/live?page_token=x").then().statusCode(400);
  }

  private List<String> listed(String filter) {
    var devices = new ArrayList<String>();
    var token = "";
    do {
      var page = given().get("/v1/live?limit=2" + filter + token).then().statusCode(200).extract();
      devices.addAll(page.path("items.device_id"));
      var next = page.<String>path("next_page_token");
      token = next == null ? "" : "&page_token=" + next;
    } while (!token.isEmpty());
    assertThat(devices.stream().filter(name -> name.contains(device))).doesNotHaveDuplicates();
    return devices;
  }

  private static List<String> reversed(List<String> names) {
    var reversed = new ArrayList<>(names);
    Collections.reverse(reversed);
    return reversed;
  }

  private ValidatableResponse start(String session) {
    return given().body(named(session)).post("/v1/devices/" + device + "/live").then();
  }

  private ValidatableResponse stop(String body) {
    return given()
        .body(body)
        .post("/v1/devices/" + device + "/live/stop")
        .then()
        .statusCode(200)
        .body("message", notNullValue());
  }

  private ValidatableResponse heartbeat(String body) {
    return given().body(body).post("/v1/devices/" + device + "/live/heartbeat").then();
  }

  private ValidatableResponse session() {
    return given().get("/v1/devices/" + device + "/live").then();
  }

  private static void apply(String commandId) {
    given()
        .body("{\"success\": true}")
        .post("/v1/commands/" + commandId + "/applied")
        .then()
        .statusCode(204);
  }

  private static String named(String session) {
    return "{\"session_id\": \"" + session + "\"}";
  }

  private SessionKeys keys(String session) {
    return sessions.keys(device, session);
  }

  private String commandId(String session) {
    return CommandKeys.of(keys(session)).commandId();
  }

  private LiveSession known(String session) {
    return await(views.find(keys(session))).orElseThrow();
  }

  private List<String> commandsOfDevice() {
    return given()
        .get("/v1/devices/" + device + "/commands")
        .then()
        .statusCode(200)
        .extract()
        .path("items.command_id");
  }

  private void heardLast(String session, long agoMs) {
    var then = Long.toString(System.currentTimeMillis() - agoMs);
    send(Command.HSET, keys(session).newest(), "last_heartbeat_ms", then);
    send(Command.ZADD, SessionKeys.active(keys(session).lane()), then, device);
  }

  private long events(String action) {
    var stream = CommandKeys.of(keys("")).audit();
    return await(redis.send(Request.cmd(Command.XRANGE).arg(stream).arg("-").arg("+"))).stream()
        .map(entry -> entry.get(1).toString())
        .filter(fields -> fields.contains(action) && fields.contains(device))
        .count();
  }

  private String hash(String key) {
    return send(Command.HGETALL, key).toString();
  }

  private Response send(Command command, String... args) {
    var request = Request.cmd(command);
    for (var arg : args) {
      request.arg(arg);
    }
    return await(redis.send(request));
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }
}
