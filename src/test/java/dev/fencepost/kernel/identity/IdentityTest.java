package dev.fencepost.kernel.identity;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.fencepost.LoggedIn;
import dev.fencepost.RedisByHand;
import dev.fencepost.StoresForTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Users, logins and their ends, as clients meet them. */
@QuarkusTest
class IdentityTest {

  private static final String PASSWORD = "correct horse battery";

  /** A change holds everywhere after a second; the machine that looks may be slow. */
  private static final Duration A_SECOND = Duration.ofSeconds(3);

  /** How often a change is told whose author could not. */
  private static final Duration PUBLISH_EVERY = Duration.ofSeconds(1);

  @Inject DataSource pool;

  @TestHTTPResource("/")
  URI here;

  private final String user = "u-" + UUID.randomUUID();

  @Test
  void a_password_buys_tokens_that_open_what_the_permissions_say_and_no_more() {
    create("person", "assets:read");
    var answer =
        token(form("password").formParam("username", user).formParam("password", PASSWORD))
            .statusCode(200)
            .header("Cache-Control", "no-store")
            .body("token_type", equalTo("Bearer"))
            .body("expires_in", equalTo(600))
            .body("scope", equalTo("assets:read"))
            .body("refresh_token", notNullValue());
    String access = answer.extract().path("access_token");
    assertThat(status(access)).isEqualTo(200);
    as(access).get("/v1/tickets").then().statusCode(403).body("type", containsString("forbidden"));
  }

  @Test
  void a_service_is_a_client_and_gets_no_refresh_token() {
    create("service", "assets:read");
    for (var request :
        List.of(
            form("client_credentials").auth().preemptive().basic(user, PASSWORD),
            form("client_credentials")
                .formParam("client_id", user)
                .formParam("client_secret", PASSWORD))) {
      String access =
          token(request)
              .statusCode(200)
              .body("refresh_token", equalTo(null))
              .extract()
              .path("access_token");
      assertThat(status(access)).isEqualTo(200);
    }
  }

  @Test
  void refusals_are_in_the_words_of_oauth() {
    create("person");
    token(form("password").formParam("username", user).formParam("password", "wrong"))
        .statusCode(400)
        .body("error", equalTo("invalid_grant"));
    token(form("client_credentials").auth().preemptive().basic(user, "wrong"))
        .statusCode(401)
        .header("WWW-Authenticate", startsWith("Basic"))
        .body("error", equalTo("invalid_client"));
    token(form("client_credentials").auth().preemptive().basic(user, PASSWORD))
        .statusCode(400)
        .body("error", equalTo("unauthorized_client"));
    token(form("magic")).statusCode(400).body("error", equalTo("unsupported_grant_type"));
    token(form("password")).statusCode(400).body("error", equalTo("invalid_request"));
    token(given().noFilters().contentType(ContentType.URLENC))
        .statusCode(400)
        .body("error", equalTo("invalid_request"));
  }

  @Test
  void an_unknown_user_and_a_wrong_password_get_the_same_answer() {
    create("person");
    var wrong = guess(user).statusCode(400).extract();
    var unknown = guess("nobody-" + UUID.randomUUID()).statusCode(400).extract();
    assertThat(unknown.asByteArray()).isEqualTo(wrong.asByteArray());
    assertThat(unknown.headers().asList().toString())
        .as("nothing but the trace tells them apart")
        .isEqualTo(wrong.headers().asList().toString());
  }

  @Test
  void who_guesses_has_to_wait_even_with_the_right_password() {
    create("person");
    IntStream.range(0, 6).forEach(i -> guess(user).statusCode(400));
    token(form("password").formParam("username", user).formParam("password", PASSWORD))
        .statusCode(429)
        .header("Retry-After", notNullValue());
    until(
        Duration.ofSeconds(20),
        () ->
            form("password")
                    .formParam("username", user)
                    .formParam("password", PASSWORD)
                    .post("/oauth/token")
                    .statusCode()
                == 200);
  }

  @Test
  void a_logout_a_new_password_and_a_deletion_end_old_tokens_and_a_new_login_works_at_once() {
    create("person", "assets:read");
    var first = LoggedIn.token(base(), user, PASSWORD);
    given().post("/v1/users/" + user + "/logout").then().statusCode(204);
    var second = LoggedIn.token(base(), user, PASSWORD);
    assertThat(status(second)).isEqualTo(200);
    refusedWithinASecond(first);
    given()
        .contentType(ContentType.JSON)
        .body(Map.of("password", "another good one"))
        .put("/v1/users/" + user + "/password")
        .then()
        .statusCode(204);
    refusedWithinASecond(second);
    var third = LoggedIn.token(base(), user, "another good one");
    given().delete("/v1/users/" + user).then().statusCode(204);
    refusedWithinASecond(third);
    given().get("/v1/users/" + user).then().statusCode(404);
    create("person", "assets:read");
    assertThat(status(third)).as("a token of the first life").isEqualTo(401);
  }

  @Test
  void permissions_change_for_the_tokens_that_are_out() {
    create("person", "assets:read");
    var access = LoggedIn.token(base(), user, PASSWORD);
    assertThat(status(access)).isEqualTo(200);
    permissions("tickets:read");
    until(A_SECOND, () -> status(access) == 403);
    as(access).get("/v1/tickets").then().statusCode(200);
  }

  @Test
  void a_user_changes_its_own_password_and_nobody_elses() {
    create("person");
    var access = LoggedIn.token(base(), user, PASSWORD);
    as(access)
        .contentType(ContentType.JSON)
        .body(Map.of("password", "taken over now"))
        .put("/v1/users/admin/password")
        .then()
        .statusCode(403);
    as(access)
        .contentType(ContentType.JSON)
        .body(Map.of("password", "mine and better"))
        .put("/v1/users/" + user + "/password")
        .then()
        .statusCode(204);
    LoggedIn.token(base(), user, "mine and better");
  }

  @Test
  void users_are_listed_and_never_with_a_password() {
    create("device", "device:self");
    given()
        .get("/v1/users?limit=500")
        .then()
        .statusCode(200)
        .body("items.user_id", hasItem(user))
        .body("items.user_id", hasItem("admin"));
    assertThat(given().get("/v1/users/" + user).asString())
        .contains("\"kind\":\"device\"")
        .doesNotContain("argon2", PASSWORD);
    newUser("device").then().statusCode(409);
  }

  @Test
  void a_bad_user_is_told_what_is_wrong() {
    for (var body :
        List.of(
            Map.of(
                "user_id", "a b", "password", PASSWORD, "kind", "person", "permissions", List.of()),
            Map.of(
                "user_id", user, "password", "short", "kind", "person", "permissions", List.of()),
            Map.of(
                "user_id", user, "password", PASSWORD, "kind", "robot", "permissions", List.of()),
            Map.of(
                "user_id",
                user,
                "password",
                PASSWORD,
                "kind",
                "person",
                "permissions",
                List.of("root")))) {
      given()
          .contentType(ContentType.JSON)
          .body(body)
          .post("/v1/users")
          .then()
          .statusCode(400)
          .body("type", containsString("validation-failed"));
    }
  }

  @Test
  void fifty_parallel_refreshes_make_one_chain() {
    create("person", "assets:read");
    var refresh = login();
    var answers =
        IntStream.range(0, 50)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> refresh(refresh)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();
    assertThat(answers).extracting(Response::statusCode).containsOnly(200);
    Set<String> next = new HashSet<>();
    answers.forEach(answer -> next.add(answer.path("refresh_token")));
    assertThat(next).hasSize(1);
    assertThat(refresh(next.iterator().next()).statusCode()).isEqualTo(200);
  }

  @Test
  void a_refresh_token_of_the_past_ends_its_login_access_tokens_included() {
    create("person", "assets:read");
    var first = login();
    var second = refresh(first);
    var third = refresh(second.path("refresh_token"));
    String access = third.path("access_token");
    assertThat(status(access)).isEqualTo(200);
    assertThat(refresh(first).statusCode()).isEqualTo(400);
    assertThat(refresh(third.path("refresh_token")).statusCode()).isEqualTo(400);
    refusedWithinASecond(access);
  }

  @Test
  void a_refresh_token_is_of_use_to_its_client_only() {
    create("person");
    var refresh = login();
    token(form("refresh_token").formParam("refresh_token", refresh).formParam("client_id", "other"))
        .statusCode(400)
        .body("error", equalTo("invalid_grant"));
    assertThat(refresh(refresh).statusCode()).isEqualTo(200);
  }

  @Test
  void no_token_outlives_the_revocation_it_races_with() {
    create("person", "assets:read");
    var survivors = new ConcurrentLinkedQueue<String>();
    var races = Integer.getInteger("identity.races", 100);
    for (var race = 0; race < races; race++) {
      var refresh = login();
      var revoked = CompletableFuture.runAsync(() -> revoke(refresh));
      var renewed = refresh(refresh);
      revoked.join();
      if (renewed.statusCode() == 200) {
        survivors.add(renewed.path("access_token"));
        assertThat(refresh(renewed.path("refresh_token")).statusCode()).isEqualTo(400);
      }
    }
    until(A_SECOND, () -> survivors.stream().allMatch(access -> status(access) == 401));
  }

  @Test
  void a_token_that_was_given_back_is_refused_and_introspection_knows() {
    create("person", "assets:read");
    var access = LoggedIn.token(base(), user, PASSWORD);
    var other = LoggedIn.token(base(), user, PASSWORD);
    introspect(access).body("active", equalTo(true)).body("sub", equalTo(user));
    revoke(access);
    refusedWithinASecond(access);
    introspect(access).body("active", equalTo(false)).body("sub", equalTo(null));
    assertThat(status(other)).isEqualTo(200);
    given()
        .noFilters()
        .contentType(ContentType.URLENC)
        .formParam("token", other)
        .post("/oauth/introspect")
        .then()
        .statusCode(401);
    revoke("nonsense");
  }

  @Test
  void what_redis_forgets_is_known_again_from_postgresql() {
    create("person", "assets:read");
    var ended = LoggedIn.token(base(), user, PASSWORD);
    given().post("/v1/users/" + user + "/logout").then().statusCode(204);
    var back = LoggedIn.token(base(), user, PASSWORD);
    revoke(back);
    var good = LoggedIn.token(base(), user, PASSWORD);
    var redis = RedisByHand.of(StoresForTests.settings());
    var key = (List<?>) redis.send("KEYS", "identity:*:user:" + user);
    assertThat(key).hasSize(1);
    redis.send("DEL", key.get(0).toString());
    refusedWithinASecond(ended);
    refusedWithinASecond(back);
    assertThat(status(good)).isEqualTo(200);
  }

  @Test
  void a_change_that_was_only_written_down_is_told_all_the_same() throws SQLException {
    create("person", "assets:read");
    var access = LoggedIn.token(base(), user, PASSWORD);
    assertThat(status(access)).isEqualTo(200);
    try (var database = pool.getConnection();
        var logout =
            database.prepareStatement(
                "UPDATE app_user SET version = version + 1, token_version = token_version + 1"
                    + " WHERE user_id = ?")) {
      logout.setString(1, user);
      assertThat(logout.executeUpdate()).as("as a process leaves it that dies then").isEqualTo(1);
    }
    until(A_SECOND.plus(PUBLISH_EVERY), () -> status(access) == 401);
    assertThat(status(LoggedIn.token(base(), user, PASSWORD))).isEqualTo(200);
  }

  @Test
  void anyone_may_read_our_keys_and_metadata() {
    given()
        .noFilters()
        .get("/.well-known/jwks.json")
        .then()
        .statusCode(200)
        .body("keys[0].kty", equalTo("RSA"))
        .body("keys[0].d", equalTo(null));
    given()
        .noFilters()
        .get("/.well-known/oauth-authorization-server")
        .then()
        .statusCode(200)
        .body("token_endpoint", containsString("/oauth/token"))
        .body("jwks_uri", containsString("/.well-known/jwks.json"));
  }

  /** Documented paths that say nothing in particular to somebody without permissions. */
  private static final Set<String> FOR_ANYONE_KNOWN =
      Set.of("/v1/users/{user_id}/password", "/v1/users/{user_id}/logout");

  /** One's own keys; and a resource of other tests. */
  private static final Set<String> OPEN_TO_ANYONE_KNOWN =
      Set.of("/v1/idempotency-keys", "/v1/held/");

  @Test
  void every_documented_operation_is_closed_to_strangers_and_to_the_powerless() {
    create("person");
    var powerless = LoggedIn.token(base(), user, PASSWORD);
    Map<String, Map<String, Map<String, Object>>> paths =
        given().get("/q/openapi?format=json").jsonPath().getMap("paths");
    var seen = 0;
    for (var path : paths.entrySet()) {
      for (var operation : path.getValue().entrySet()) {
        if (!Set.of("get", "put", "post", "delete", "patch").contains(operation.getKey())
            || List.of().equals(operation.getValue().get("security"))) {
          continue;
        }
        seen++;
        var what = operation.getKey() + " " + path.getKey();
        var at = path.getKey().replaceAll("\\{[^}]*}", "someone-else");
        assertThat(send(given().noFilters(), operation, at).statusCode()).as(what).isEqualTo(401);
        if (OPEN_TO_ANYONE_KNOWN.stream().noneMatch(path.getKey()::startsWith)) {
          var refused = send(as(powerless), operation, at);
          assertThat(refused.statusCode()).as(what).isEqualTo(403);
          assertThat(refused.<String>path("detail")).as(what).isEqualTo(documentedNeed(operation));
        }
      }
    }
    assertThat(seen).isGreaterThan(15);
    assertThat(paths).containsKeys(FOR_ANYONE_KNOWN.toArray(new String[0]));
  }

  /** The last line of a description, in the words of the refusal. */
  private static String documentedNeed(Map.Entry<String, Map<String, Object>> operation) {
    var lines = operation.getValue().get("description").toString().split("\n");
    var last = lines[lines.length - 1];
    return switch (last) {
      case "Needs: any access token." -> "only someone-else itself may do this";
      default -> last.replaceFirst("^Needs: (.*)\\.$", "needs $1");
    };
  }

  private static Response send(
      RequestSpecification request, Map.Entry<String, Map<String, Object>> operation, String path) {
    if (operation.getValue().get("requestBody") instanceof Map<?, ?> body
        && body.get("content") instanceof Map<?, ?> content) {
      request
          .config(
              RestAssuredConfig.config()
                  .encoderConfig(
                      EncoderConfig.encoderConfig()
                          .encodeContentTypeAs("application/vnd.cyclonedx+json", ContentType.TEXT)))
          .contentType(
              content.keySet().iterator().next().toString().replace("*/*", "application/json"))
          .body("{}");
    }
    return request.request(operation.getKey().toUpperCase(Locale.ROOT), path);
  }

  private Response newUser(String kind, String... permissions) {
    return given()
        .contentType(ContentType.JSON)
        .body(
            Map.of(
                "user_id",
                user,
                "password",
                PASSWORD,
                "kind",
                kind,
                "permissions",
                List.of(permissions)))
        .post("/v1/users");
  }

  private void create(String kind, String... permissions) {
    newUser(kind, permissions)
        .then()
        .statusCode(201)
        .header("Location", equalTo("/v1/users/" + user))
        .body("user_id", equalTo(user))
        .body("permissions", equalTo(List.of(permissions)));
  }

  private void permissions(String... permissions) {
    given()
        .contentType(ContentType.JSON)
        .body(Map.of("permissions", List.of(permissions)))
        .put("/v1/users/" + user + "/permissions")
        .then()
        .statusCode(200);
  }

  private ValidatableResponse guess(String name) {
    return token(form("password").formParam("username", name).formParam("password", "wrong guess"));
  }

  private String login() {
    return token(form("password").formParam("username", user).formParam("password", PASSWORD))
        .statusCode(200)
        .extract()
        .path("refresh_token");
  }

  private static Response refresh(String token) {
    return form("refresh_token").formParam("refresh_token", token).post("/oauth/token");
  }

  private static void revoke(String token) {
    given()
        .noFilters()
        .contentType(ContentType.URLENC)
        .formParam("token", token)
        .post("/oauth/revoke")
        .then()
        .statusCode(200);
  }

  private ValidatableResponse introspect(String token) {
    return as(LoggedIn.token(base(), "admin", LoggedIn.ADMIN_PASSWORD))
        .contentType(ContentType.URLENC)
        .formParam("token", token)
        .post("/oauth/introspect")
        .then()
        .statusCode(200);
  }

  private static RequestSpecification form(String grantType) {
    return given().noFilters().contentType(ContentType.URLENC).formParam("grant_type", grantType);
  }

  private static ValidatableResponse token(RequestSpecification request) {
    return request.post("/oauth/token").then();
  }

  private static RequestSpecification as(String token) {
    return given().noFilters().header("Authorization", "Bearer " + token);
  }

  private static int status(String token) {
    return as(token).get("/v1/assets?limit=1").statusCode();
  }

  private static void refusedWithinASecond(String token) {
    until(A_SECOND, () -> status(token) == 401);
  }

  private static void until(Duration limit, BooleanSupplier holds) {
    var end = Instant.now().plus(limit);
    while (!holds.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(end);
    }
  }

  private String base() {
    return "http://" + here.getAuthority();
  }
}
