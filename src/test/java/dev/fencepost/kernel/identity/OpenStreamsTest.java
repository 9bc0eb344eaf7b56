package dev.fencepost.kernel.identity;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.EventStream;
import dev.fencepost.LoggedIn;
import dev.fencepost.kernel.identity.token.AccessToken;
import dev.fencepost.kernel.identity.token.SignToken;
import dev.fencepost.kernel.identity.token.VerifyToken;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stream that is open already ends with the right to open it, and no other does. */
@QuarkusTest
class OpenStreamsTest {

  /** Within about 2 s on an idle machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String PASSWORD = "long enough to be one";

  @Inject SignToken signToken;
  @Inject VerifyToken verifyToken;
  @Inject MeterRegistry metrics;

  @TestHTTPResource("/")
  URI here;

  private final String user = "open-" + UUID.randomUUID();
  private final String commands = "/v1/devices/" + user + "/commands/stream";

  /** What ends the right of a user. */
  private enum End {
    LOGOUT,
    DELETION,
    OTHER_PERMISSIONS
  }

  @BeforeEach
  void enroll() {
    given()
        .contentType("application/json")
        .body(
            """
            {"user_id": "%s", "password": "%s", "kind": "device",
             "permissions": ["device:self", "tickets:read"]}"""
                .formatted(user, PASSWORD))
        .post("/v1/users")
        .then()
        .statusCode(201);
  }

  @ParameterizedTest
  @EnumSource
  void commands_are_followed_until_their_reader_may_not_any_more(End end) {
    var ended = metrics.counter("fencepost.identity.streams.ended");
    var before = ended.count();
    try (var stream = stream(commands, token());
        var anothers = stream(commands, LoggedIn.token(base(), "admin", LoggedIn.ADMIN_PASSWORD))) {
      stream.awaitLine();
      anothers.awaitLine();
      end(end);
      stream.awaitEnd();
      assertThat(anothers.hasEnded()).isFalse();
      assertThat(ended.count()).isGreaterThan(before);
    }
  }

  @Test
  void commands_are_followed_until_the_token_runs_out() {
    var good = verifyToken.verify(token());
    var brief =
        new AccessToken(
            user,
            good.id(),
            good.tokenVersion(),
            good.permissionVersion(),
            good.issuedAt(),
            Instant.now().plusSeconds(1));
    try (var stream = stream(commands, signToken.sign(brief))) {
      stream.awaitLine();
      stream.awaitEnd();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_ticket_is_followed_until_its_reader_may_not_any_more(End end) {
    var ticket = unfinishedTicket();
    try (var stream = stream("/v1/tickets/" + ticket + "/events", token())) {
      stream.awaitLine();
      end(end);
      stream.awaitEnd();
      assertThat(given().get("/v1/tickets/" + ticket).<Object>path("finished_at")).isNull();
    }
  }

  /** Its asset has a name that does not resolve, so it is retried for some 15 s. */
  private String unfinishedTicket() {
    given()
        .contentType("application/json")
        .body("{\"address\": \"tcp://nowhere.invalid:1\"}")
        .put("/v1/assets/" + user)
        .then()
        .statusCode(201);
    return given()
        .post("/v1/assets/" + user + "/assessments")
        .then()
        .statusCode(202)
        .extract()
        .path("ticket_id");
  }

  private void end(End end) {
    var path = "/v1/users/" + user;
    switch (end) {
      case LOGOUT -> given().post(path + "/logout").then().statusCode(204);
      case DELETION -> given().delete(path).then().statusCode(204);
      case OTHER_PERMISSIONS ->
          given()
              .contentType("application/json")
              .body("{\"permissions\": [\"assets:read\"]}")
              .put(path + "/permissions")
              .then()
              .statusCode(200);
    }
  }

  private String token() {
    return LoggedIn.token(base(), user, PASSWORD);
  }

  private String base() {
    return "http://" + here.getAuthority();
  }

  private EventStream stream(String path, String token) {
    return new EventStream(
        HttpRequest.newBuilder(here.resolve(path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .build());
  }
}
