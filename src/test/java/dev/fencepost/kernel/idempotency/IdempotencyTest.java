package dev.fencepost.kernel.idempotency;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.fencepost.LoggedIn;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.WatchedRoad;
import dev.fencepost.platform.redis.WatchedRoad.Fault;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mechanism over HTTP, on work that tests hold, fail and count. */
@QuarkusTest
class IdempotencyTest {

  @Inject WatchedRoad road;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject HeldWork work;

  @TestHTTPResource("/")
  URI here;

  private final String name = "w" + UUID.randomUUID();
  private final String key = UUID.randomUUID().toString();
  private final ExecutorService clients = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    clients.shutdownNow();
  }

  @Test
  void a_repeat_gets_the_same_answer_byte_for_byte_and_nothing_is_done_again() {
    var first = post("hello");
    var again = with("\"" + key + "\"").body("hello").post("/v1/held/" + name);

    assertThat(first.header("X-Idempotent-Replayed")).isEqualTo("false");
    assertThat(again.header("X-Idempotent-Replayed")).isEqualTo("true");
    assertSame(first, again);
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.<String>path("echo")).isEqualTo("hello");
    assertThat(work.begun(name)).isEqualTo(1);
  }

  @Test
  void without_a_key_everything_is_as_ever() {
    given()
        .body("hello")
        .post("/v1/held/" + name)
        .then()
        .header("X-Idempotent-Replayed", nullValue());
    given().body("hello").post("/v1/held/" + name).then().body("begun", equalTo(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 202, 400, 404, 409, 422})
  void answers_that_say_no_are_answers_too(int status) {
    work.answerWith(name, status);
    var first = post("hello");
    assertThat(first.statusCode()).isEqualTo(status);
    assertSame(first, post("hello"));
    assertThat(work.begun(name)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503})
  void what_may_pass_is_not_kept(int status) {
    work.answerWith(name, status);
    assertThat(post("hello").statusCode()).isEqualTo(status);
    work.answerWith(name, 201);
    assertThat(post("hello").statusCode()).isEqualTo(201);
    assertThat(work.begun(name)).isEqualTo(2);
  }

  @Test
  void problems_are_replayed_with_their_own_trace() {
    var first = with(key).post("/v1/assets/{id}/assessments", name);
    var again = with(key).post("/v1/assets/{id}/assessments", name);
    assertThat(first.statusCode()).isEqualTo(404);
    assertThat(first.contentType()).startsWith("application/problem+json");
    assertSame(first, again);
    var malformed = UUID.randomUUID().toString();
    var broken = with(malformed).body("{oops").post("/v1/assets/{id}/assessments", name);
    assertThat(broken.statusCode()).isEqualTo(400);
    assertSame(broken, with(malformed).body("{oops").post("/v1/assets/{id}/assessments", name));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        Arguments.of("body", "POST", "", "", "text/plain", "other"),
        Arguments.of("empty body", "POST", "", "", "text/plain", ""),
        Arguments.of("query", "POST", "", "?x=1", "text/plain", "hello"),
        Arguments.of("content type", "POST", "", "", "application/json", "hello"),
        Arguments.of("path", "POST", "x", "", "text/plain", "hello"));
  }

  @ParameterizedTest(name = "other {0}")
  @MethodSource("others")
  void a_key_stands_for_one_request(
      String part, String method, String more, String query, String type, String body) {
    var first = post("hello");
    with(key)
        .contentType(type)
        .body(body)
        .request(method, "/v1/held/" + name + more + query)
        .then()
        .statusCode(422)
        .body("type", endsWith(":idempotency-key-reused"));
    assertThat(work.begun(name) + work.begun(name + "x")).isEqualTo(1);
    assertSame(first, post("hello"));
  }

  @Test
  void another_method_is_another_request() {
    post("hello");
    with(key)
        .contentType("application/json")
        .body("{\"address\": \"heartbeat:\"}")
        .put("/v1/assets/" + name)
        .then()
        .statusCode(422);
    given().get("/v1/assets/" + name).then().statusCode(404);
  }

  @Test
  void an_endpoint_that_takes_no_body_tells_bodies_apart_all_the_same() {
    var path = "/v1/held/" + name + "/bodiless";
    var first = with(key).contentType("application/json").body("{\"a\":1}").post(path);
    assertThat(first.statusCode()).isEqualTo(200);
    assertSame(first, with(key).contentType("application/json").body("{\"a\":1}").post(path));
    with(key).contentType("application/json").body("{\"a\":2}").post(path).then().statusCode(422);
    with(UUID.randomUUID().toString()).post(path).then().statusCode(200);
  }

  @Test
  void two_callers_may_use_one_key_and_learn_nothing_of_each_other() {
    var me = bearer();
    var you = bearer();
    var mine = with(key).header("Authorization", me).body("hello").post("/v1/held/" + name);
    given().header("Authorization", you).get("/v1/idempotency-keys/" + key).then().statusCode(404);
    var yours = with(key).header("Authorization", you).body("other").post("/v1/held/" + name);
    assertThat(yours.statusCode()).isEqualTo(201);
    assertThat(yours.asString()).isNotEqualTo(mine.asString());
    assertThat(work.begun(name)).isEqualTo(2);
  }

  @Test
  void a_caller_can_ask_what_became_of_its_key() {
    given()
        .get("/v1/idempotency-keys/" + key)
        .then()
        .statusCode(404)
        .body("type", endsWith(":idempotency-key-not-found"));
    work.hold(name, 1);
    var first = inBackground(() -> post("hello"));
    until(() -> work.begun(name) == 1);
    given()
        .get("/v1/idempotency-keys/" + key)
        .then()
        .statusCode(200)
        .body("key", equalTo(key))
        .body("state", equalTo("in_progress"))
        .body("response_status", nullValue());
    work.release(name, 1, 201);
    await(first);
    given()
        .get("/v1/idempotency-keys/" + key)
        .then()
        .body("state", equalTo("completed"))
        .body("response_status", equalTo(201))
        .body("first_seen_at", matchesPattern("\\d{4}-.*T.*\\.\\d{3}Z"))
        .body("expires_at", matchesPattern("\\d{4}-.*T.*\\.\\d{3}Z"));
    given().get("/v1/idempotency-keys/{key}", "k".repeat(256)).then().statusCode(404);
  }

  @Test
  void malformed_keys_are_named() {
    for (var malformed : List.of("\"open", "\"\"", "k".repeat(256), "sch\u00fc", "a b")) {
      with(malformed)
          .body("hello")
          .post("/v1/held/" + name)
          .then()
          .statusCode(400)
          .body("errors[0].field", equalTo("Idempotency-Key"));
    }
    assertThat(work.begun(name)).isZero();
  }

  @Test
  void what_is_idempotent_by_nature_stores_nothing() {
    with(key).post("/v1/held/" + name + "/beat").then().statusCode(204);
    with(key).post("/v1/held/" + name + "/beat").then().statusCode(204);
    assertThat(work.begun(name)).isEqualTo(2);
    given().get("/v1/idempotency-keys/" + key).then().statusCode(404);
  }

  @Test
  void a_repeat_while_the_first_runs_waits_a_moment_and_is_told_to_come_back() {
    work.hold(name, 1);
    var first = inBackground(() -> post("hello"));
    until(() -> work.begun(name) == 1);
    post("hello")
        .then()
        .statusCode(409)
        .header("Retry-After", equalTo("1"))
        .body("type", endsWith(":idempotency-key-in-progress"));
    work.release(name, 1, 201);
    assertSame(await(first), post("hello"));
    assertThat(work.begun(name)).isEqualTo(1);
  }

  @Test
  void a_repeat_that_prefers_to_wait_gets_the_result() {
    work.hold(name, 1);
    var first = inBackground(() -> post("hello"));
    until(() -> work.begun(name) == 1);
    var waiting =
        inBackground(
            () -> with(key).header("Prefer", "wait=30").body("hello").post("/v1/held/" + name));
    pause(1_500);
    assertThat(waiting).isNotDone();
    work.release(name, 1, 201);
    assertSame(await(first), await(waiting));
    assertThat(work.begun(name)).isEqualTo(1);
  }

  @Test
  void requests_in_flight_together_share_one_execution() {
    work.hold(name, 1);
    var all = IntStream.range(0, 20).mapToObj(i -> inBackground(() -> post("hello"))).toList();
    until(() -> work.begun(name) == 1);
    pause(200);
    work.release(name, 1, 201);
    // On a starved machine some wait longer than they may, and are told to come back.
    var bodies =
        all.stream()
            .map(this::await)
            .filter(answer -> answer.statusCode() != 409)
            .map(Response::asString)
            .toList();
    assertThat(bodies).hasSizeGreaterThan(1);
    assertThat(bodies.stream().distinct()).hasSize(1);
    assertThat(work.begun(name)).isEqualTo(1);
  }

  @Test
  void a_client_that_went_away_finds_its_answer_later() throws Exception {
    var token = LoggedIn.token("http://" + here.getAuthority(), "admin", LoggedIn.ADMIN_PASSWORD);
    work.hold(name, 1);
    try (var socket = new Socket(here.getHost(), here.getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /v1/held/%s HTTP/1.1\r\nHost: x\r\nIdempotency-Key: %s\r\n"
                      + "Authorization: Bearer %s\r\n"
                      + "Content-Type: text/plain; charset=ISO-8859-1\r\n"
                      + "Content-Length: 5\r\n\r\nhello")
                  .formatted(name, key, token)
                  .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      until(() -> work.begun(name) == 1);
    }
    pause(300);
    work.release(name, 1, 201);
    until(
        () -> given().get("/v1/idempotency-keys/" + key).<String>path("state").equals("completed"));
    var answer = post("hello");
    assertThat(answer.header("X-Idempotent-Replayed")).isEqualTo("true");
    assertThat(work.begun(name)).isEqualTo(1);
  }

  @Test
  void without_redis_nothing_is_done_blindly() {
    road.lose(1, Fault.REQUEST_LOST, operands -> operands.contains(id()));
    var refused = post("hello");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isNotNull();
    assertThat(work.begun(name)).isZero();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void an_answer_that_could_not_be_stored_does_not_leave(Fault fault) {
    road.lose(2, fault, operands -> operands.contains(id()));
    var refused = post("hello");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isNotNull();
    assertThat(refused.asString())
        .contains("urn:fencepost:problem:unavailable")
        .doesNotContain("begun");
    expire();
    var again = post("hello");
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(work.begun(name)).isEqualTo(fault == Fault.REPLY_LOST ? 1 : 2);
    assertSame(again, post("hello"));
  }

  @Test
  void a_late_holder_answers_with_what_stands() {
    work.hold(name, 1);
    var late = inBackground(() -> post("hello"));
    until(() -> work.begun(name) == 1);
    expire();
    var second = post("hello");
    assertThat(second.<Integer>path("begun")).isEqualTo(2);
    work.release(name, 1, 200);
    assertSame(second, await(late));
    assertThat(await(late).header("X-Idempotent-Replayed")).isEqualTo("true");
    assertSame(second, post("hello"));
    assertThat(refusals()).hasSize(1).first().asString().contains("STALE_TOKEN", "idempotency_key");
    assertThat(given().get("/q/metrics").asString())
        .contains("fencepost_idempotency_total{outcome=\"stale\"}")
        .contains("fencepost_idempotency_total{outcome=\"taken_over\"}");
  }

  @Test
  void a_late_holder_without_a_successor_does_not_answer_either() {
    work.hold(name, 1);
    var late = inBackground(() -> post("hello"));
    until(() -> work.begun(name) == 1);
    expire();
    work.release(name, 1, 201);
    assertThat(await(late).statusCode()).isEqualTo(409);
    assertThat(await(late).header("Retry-After")).isEqualTo("1");
    assertThat(refusals()).hasSize(1).first().asString().contains("LEASE_LOST");
    assertThat(post("hello").statusCode()).isEqualTo(201);
  }

  @Test
  void a_lease_is_renewed_while_the_work_runs_and_gone_with_its_answer() {
    work.hold(name, 1);
    var first = inBackground(() -> post("hello"));
    until(() -> work.begun(name) == 1);
    shorten();
    until(() -> pttl() > 8_000);
    work.release(name, 1, 201);
    await(first);
    assertThat(pttl()).isEqualTo(-2);
  }

  private void assertSame(Response first, Response again) {
    assertThat(again.statusCode()).isEqualTo(first.statusCode());
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(again.contentType()).isEqualTo(first.contentType());
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
  }

  private Response post(String body) {
    return with(key).body(body).post("/v1/held/" + name);
  }

  private static RequestSpecification with(String header) {
    return given().header("Idempotency-Key", header);
  }

  private CompletableFuture<Response> inBackground(java.util.function.Supplier<Response> call) {
    return CompletableFuture.supplyAsync(call, clients);
  }

  private <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** Of a user of its own. */
  private String bearer() {
    var user = "caller-" + UUID.randomUUID();
    given()
        .contentType("application/json")
        .body(
            "{\"user_id\":\"%s\",\"password\":\"%s\",\"kind\":\"person\",\"permissions\":[]}"
                .formatted(user, user))
        .post("/v1/users")
        .then()
        .statusCode(201);
    return "Bearer " + LoggedIn.token("http://" + here.getAuthority(), user, user);
  }

  private RecordKeys keys() {
    return RecordKeys.of(lanes, "admin", new IdempotencyKey(key));
  }

  private String id() {
    return keys().id();
  }

  private void expire() {
    send(Request.cmd(Command.DEL).arg(keys().lease()));
  }

  private void shorten() {
    send(Request.cmd(Command.PEXPIRE).arg(keys().lease()).arg(8_000));
  }

  private long pttl() {
    return send(Request.cmd(Command.PTTL).arg(keys().lease())).toLong();
  }

  private List<String> refusals() {
    var events = send(Request.cmd(Command.XRANGE).arg(keys().audit()).arg("-").arg("+"));
    return events.stream()
        .map(Object::toString)
        .filter(event -> event.contains(id()) && event.contains("STALE_WRITE_REFUSED"))
        .toList();
  }

  private io.vertx.redis.client.Response send(Request request) {
    return redis.send(request).await().atMost(Duration.ofSeconds(10));
  }

  private static void until(BooleanSupplier condition) {
    var end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
      pause(20);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
