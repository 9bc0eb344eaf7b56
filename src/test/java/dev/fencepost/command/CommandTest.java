package dev.fencepost.command;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.fencepost.LogLines;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What devices answer, in whatever order and however late. */
@QuarkusTest
class CommandTest {

  private static final long ALL_LIFE_MS = 700_000;

  @Inject CommandStore commands;
  @Inject CommandSweep sweep;
  @Inject DeliverCommands deliverCommands;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject Scheduler scheduler;

  private final String device = "dev-" + UUID.randomUUID();

  /**
   * The service's own sweeper puts off what nobody fetches; the tests call it when they want it.
   */
  @BeforeEach
  void holdTheSweeper() {
    scheduler.pause();
  }

  @AfterEach
  void letTheSweeperGo() {
    scheduler.resume();
  }

  @Test
  void a_command_that_is_answered_ends_and_its_session_with_it() {
    var id = stopped("s");
    command(id)
        .body("type", equalTo("stop_stream"))
        .body("device_id", equalTo(device))
        .body("session_id", equalTo("s"))
        .body("status", equalTo("pending"))
        .body("sends", equalTo(0))
        .body("reason", equalTo("enough"))
        .body("created_at", notNullValue())
        .body("sent_at", nullValue());
    ack(id).statusCode(204);
    command(id).body("status", equalTo("acked")).body("acked_at", notNullValue());
    session().body("status", equalTo("stopping"));
    applied(id, true).statusCode(204);
    command(id).body("status", equalTo("applied")).body("applied_at", notNullValue());
    session().body("status", equalTo("stopped")).body("confirmation", equalTo("applied"));
    assertThat(await(commands.outstanding(device, 10))).isEmpty();
  }

  @Test
  void applied_implies_acked_and_nothing_moves_a_command_back() {
    var id = stopped("s");
    applied(id, true).statusCode(204);
    var end = command(id).body("acked_at", notNullValue()).extract().asString();
    ack(id).statusCode(204);
    applied(id, true).statusCode(204);
    assertThat(command(id).extract().asString()).isEqualTo(end);
    applied(id, false).statusCode(204);
    command(id)
        .body("status", equalTo("applied"))
        .body("late_report", equalTo("failed"))
        .body("late_report_at", notNullValue());
    session().body("confirmation", equalTo("applied"));
  }

  @Test
  void a_device_that_says_no_leaves_the_stop_unconfirmed() {
    var id = stopped("s");
    given()
        .body("{\"success\": false, \"detail\": \"busy\"}")
        .post("/v1/commands/" + id + "/applied")
        .then()
        .statusCode(204);
    command(id).body("status", equalTo("failed")).body("detail", equalTo("busy"));
    session().body("status", equalTo("stopped")).body("confirmation", equalTo("unconfirmed"));
  }

  @Test
  void a_command_that_is_never_confirmed_expires_and_a_late_report_does_not_revive_it() {
    var id = stopped("s");
    outlive("s");
    await(Uni.join().all(sweep.sweep(), sweep.sweep(), sweep.sweep()).andFailFast());
    command(id).body("status", equalTo("expired")).body("expired_at", notNullValue());
    session().body("status", equalTo("stopped")).body("confirmation", equalTo("unconfirmed"));
    assertThat(events("COMMAND_EXPIRED", id)).isEqualTo(1);
    assertThat(events("LIVE_STOPPED", id)).isEqualTo(1);

    applied(id, true).statusCode(204);
    command(id).body("status", equalTo("expired")).body("late_report", equalTo("applied"));
    session().body("confirmation", equalTo("unconfirmed"));
    assertThat(events("COMMAND_APPLIED", id)).isEqualTo(1);
  }

  @Test
  void a_command_that_is_given_up_is_one_warning_about_its_device() {
    var id = stopped("s");
    outlive("s");
    try (var lines = LogLines.of(CommandSweep.class.getName())) {
      await(Uni.join().all(sweep.sweep(), sweep.sweep()).andFailFast());

      var line = lines.with(id, "EXPIRED");
      assertThat(line.level()).isEqualTo("WARN");
      assertThat(line.facts()).isEqualTo(facts());
    }
  }

  @Test
  void a_command_that_cannot_be_read_is_an_error_about_its_device() {
    var id = stopped("s");
    send("HDEL", new CommandKeys(lanes.of(device), device, "s").command(), "type");
    try (var lines = LogLines.of("dev.fencepost")) {
      deliverCommands.arrived(device, null);

      var line = lines.with("cannot handle", device);
      assertThat(line.level()).isEqualTo("ERROR");
      assertThat(line.failure()).hasMessage("a command without type");
      assertThat(line.facts()).isEqualTo(facts());
    }
    send("HSET", new CommandKeys(lanes.of(device), device, "s").command(), "type", "stop_stream");
    applied(id, true).statusCode(204);
  }

  private Map<String, String> facts() {
    return Map.of("device_id", device, "lane", Integer.toString(lanes.of(device).number()));
  }

  @Test
  void the_clock_gives_up_nothing_before_its_time() {
    stopped("s");
    var keys = new CommandKeys(lanes.of(device), device, "s");
    assertThat(await(commands.report(keys, Report.EXPIRED, null, null)))
        .isEqualTo(Reported.NOT_DUE);
    command(keys.commandId()).body("status", equalTo("pending"));
  }

  @Test
  void of_any_number_of_replicas_one_sends_and_not_again_before_the_pause_is_over() {
    var id = stopped("s");
    var keys = new CommandKeys(lanes.of(device), device, "s");
    var claimed = claimDue(keys, 20);
    assertThat(claimed).hasSize(1);
    command(id).body("status", equalTo("sent")).body("sends", equalTo(1));
    var sentAt = claimed.get(0).lastSentAt();
    assertThat(sentAt).isNotNull();
    assertThat(Double.parseDouble(send("ZSCORE", keys.agenda(), keys.entry())))
        .isGreaterThanOrEqualTo(sentAt.toEpochMilli() + 4_900.0);
    assertThat(await(commands.claim(keys, true))).as("its device came back").isPresent();
    command(id).body("sends", equalTo(2));
  }

  @Test
  void a_command_is_sent_by_the_clock_a_limited_number_of_times_with_growing_pauses() {
    var id = stopped("s");
    var keys = new CommandKeys(lanes.of(device), device, "s");
    var pauses = new ArrayList<Long>();
    for (var i = 0; i < 4; i++) {
      var claimed = claimDue(keys, 1);
      assertThat(claimed).hasSize(1);
      var sentAt = claimed.get(0).lastSentAt();
      assertThat(sentAt).isNotNull();
      var due = Double.parseDouble(send("ZSCORE", keys.agenda(), keys.entry()));
      pauses.add(Math.round((due - sentAt.toEpochMilli()) / 1000));
    }
    for (var i = 0; i < 4; i++) {
      assertThat(pauses.get(i)).isBetween(5L << i, (5L << i) + 4);
    }
    assertThat(claimDue(keys, 1)).hasSize(1);
    assertThat(send("ZSCORE", keys.agenda(), keys.entry())).isEqualTo("null");
    command(id).body("sends", equalTo(5));
  }

  @Test
  void an_answer_ends_the_sending() {
    var id = stopped("s");
    var keys = new CommandKeys(lanes.of(device), device, "s");
    ack(id).statusCode(204);
    assertThat(await(commands.claim(keys, false))).isEmpty();
    assertThat(await(commands.claim(keys, true))).as("unfinished, so told again").isPresent();
    command(id).body("status", equalTo("acked"));
    applied(id, true);
    assertThat(await(commands.claim(keys, true))).isEmpty();
  }

  @Test
  void a_device_that_has_a_command_and_says_no_more_is_sent_it_again() {
    var id = stopped("s");
    var keys = new CommandKeys(lanes.of(device), device, "s");
    ack(id).statusCode(204);
    assertThat(send("ZSCORE", keys.agenda(), keys.entry())).isNotEqualTo("null");
    assertThat(claimDue(keys, 1)).extracting(Command::commandId).containsExactly(id);
    command(id).body("status", equalTo("acked")).body("sends", equalTo(1));
    applied(id, true);
    assertThat(send("ZSCORE", keys.agenda(), keys.entry())).isEqualTo("null");
  }

  @Test
  void what_nobody_can_deliver_makes_room_for_others_and_waits() {
    var id = stopped("s");
    var keys = new CommandKeys(lanes.of(device), device, "s");
    send("ZADD", keys.agenda(), "1", keys.entry());
    await(sweep.sweep());
    assertThat(Double.parseDouble(send("ZSCORE", keys.agenda(), keys.entry())))
        .isGreaterThan(System.currentTimeMillis());
    command(id).body("status", equalTo("pending")).body("sends", equalTo(0));
  }

  @Test
  void an_unknown_command_is_404_and_an_outcome_needs_a_word() {
    var id = stopped("s");
    var unknown = id.substring(0, id.length() - 3) + "000";
    given().get("/v1/commands/" + unknown).then().statusCode(404);
    given().get("/v1/commands/nonsense").then().statusCode(404);
    ack(unknown).statusCode(404).body("type", equalTo("urn:fencepost:problem:command-not-found"));
    applied(unknown, true).statusCode(404);
    given().body("{}").post("/v1/commands/" + id + "/applied").then().statusCode(400);
    given().body("{\"ok\": true}").post("/v1/commands/" + id + "/applied").then().statusCode(400);
  }

  @Test
  void a_devices_commands_are_listed_newest_first_in_pages() {
    var third = List.of(stopped("1"), stopped("2"), stopped("3"));
    var first =
        given()
            .get("/v1/devices/" + device + "/commands?limit=2")
            .then()
            .body("items.command_id", contains(third.get(2), third.get(1)))
            .extract();
    given()
        .get(
            "/v1/devices/"
                + device
                + "/commands?limit=2&page_token="
                + first.path("next_page_token"))
        .then()
        .body("items.command_id", contains(third.get(0)))
        .body("next_page_token", nullValue());
  }

  /** Anything in any order: whatever happens, each session has one stop, and nothing moves back. */
  @Test
  void whatever_happens_in_whatever_order_nothing_moves_back_and_no_session_is_stopped_twice() {
    var random = new Random(4);
    var order = List.of("pending", "sent", "acked", "applied", "failed", "expired");
    var ends = List.of("applied", "failed", "expired");
    var seen = new HashMap<String, String>();
    for (var step = 0; step < 250; step++) {
      act(random, "m" + random.nextInt(4));
      Map<String, String> now = new HashMap<>();
      var items =
          given()
              .get("/v1/devices/" + device + "/commands?limit=500")
              .then()
              .extract()
              .<List<Map<String, Object>>>path("items");
      items.forEach(
          item -> now.put(item.get("session_id").toString(), item.get("status").toString()));
      assertThat(now).as("one command per session").hasSize(items.size());
      seen.forEach(
          (session, before) -> {
            var after = now.get(session);
            assertThat(order.indexOf(after)).isGreaterThanOrEqualTo(order.indexOf(before));
            assertThat(ends.contains(before) && !after.equals(before)).isFalse();
          });
      seen.putAll(now);
    }
    assertThat(seen).hasSize(4);
  }

  private void act(Random random, String session) {
    var keys = new CommandKeys(lanes.of(device), device, session);
    var path = "/v1/devices/" + device + "/live";
    switch (random.nextInt(7)) {
      case 0, 1 -> given().body(named(session)).post(path);
      case 2 -> given().body(named(session)).post(path + "/stop");
      case 3 -> ack(keys.commandId());
      case 4 -> await(commands.claim(keys, random.nextBoolean()));
      case 5 -> {
        if (random.nextInt(4) == 0) {
          applied(keys.commandId(), random.nextBoolean());
        }
      }
      default -> given().body(named(session)).post(path + "/heartbeat");
    }
  }

  /** Makes a command due and claims it so often at once; again if a sweep put it off meanwhile. */
  private List<Command> claimDue(CommandKeys keys, int times) {
    for (var attempt = 0; attempt < 50; attempt++) {
      send("ZADD", keys.agenda(), Long.toString(System.currentTimeMillis()), keys.entry());
      var claims = new ArrayList<Uni<Optional<Command>>>();
      for (var i = 0; i < times; i++) {
        claims.add(commands.claim(keys, false));
      }
      var claimed =
          await(Uni.join().all(claims).andFailFast()).stream().flatMap(Optional::stream).toList();
      if (!claimed.isEmpty()) {
        return claimed;
      }
    }
    return List.of();
  }

  private String stopped(String session) {
    var path = "/v1/devices/" + device + "/live";
    given().body(named(session)).post(path).then().statusCode(201);
    return given()
        .body("{\"reason\": \"enough\"}")
        .post(path + "/stop")
        .then()
        .body("result", equalTo("accepted"))
        .extract()
        .path("command_id");
  }

  private void outlive(String session) {
    var keys = new CommandKeys(lanes.of(device), device, session);
    var past = Long.toString(System.currentTimeMillis() - ALL_LIFE_MS);
    send("HSET", keys.command(), "expires_ms", past);
    send("ZADD", keys.expiry(), past, keys.entry());
  }

  private static String named(String session) {
    return "{\"session_id\": \"" + session + "\"}";
  }

  private static ValidatableResponse command(String id) {
    return given().get("/v1/commands/" + id).then().statusCode(200);
  }

  private ValidatableResponse session() {
    return given().get("/v1/devices/" + device + "/live").then().statusCode(200);
  }

  private static ValidatableResponse ack(String id) {
    return given().post("/v1/commands/" + id + "/ack").then();
  }

  private static ValidatableResponse applied(String id, boolean success) {
    return given()
        .body("{\"success\": " + success + "}")
        .post("/v1/commands/" + id + "/applied")
        .then();
  }

  private long events(String action, String commandId) {
    var stream = new CommandKeys(lanes.of(device), device, "").audit();
    var range = Request.cmd(io.vertx.redis.client.Command.XRANGE).arg(stream).arg("-").arg("+");
    return await(redis.send(range)).stream()
        .map(entry -> entry.get(1).toString())
        .filter(fields -> fields.contains(action) && fields.contains(commandId))
        .count();
  }

  private String send(String command, String... args) {
    var request = Request.cmd(io.vertx.redis.client.Command.create(command));
    for (var arg : args) {
      request.arg(arg);
    }
    return String.valueOf(await(redis.send(request)));
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }
}
