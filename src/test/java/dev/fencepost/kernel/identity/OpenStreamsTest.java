package dev.fencepost.kernel.identity;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import dev.fencepost.chaos.Patience;
import dev.fencepost.kernel.identity.token.AccessToken;
import dev.fencepost.kernel.identity.token.SignToken;
import dev.fencepost.kernel.identity.token.VerifyToken;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
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
    try (var stream = new Stream(commands, token());
        var anothers =
            new Stream(commands, LoggedIn.token(base(), "admin", LoggedIn.ADMIN_PASSWORD))) {
      stream.awaitLine();
      anothers.awaitLine();
      end(end);
      stream.awaitEnd();
      assertThat(anothers.ended).isFalse();
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
    try (var stream = new Stream(commands, signToken.sign(brief))) {
      stream.awaitLine();
      stream.awaitEnd();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_ticket_is_followed_until_its_reader_may_not_any_more(End end) {
    var ticket = unfinishedTicket();
    try (var stream = new Stream("/v1/tickets/" + ticket + "/events", token())) {
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

  /** One reader of server-sent events, with a thread of its own. */
  private final class Stream implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final InputStream body;
    volatile boolean ended;

    Stream(String path, String token) {
      var request =
          HttpRequest.newBuilder(here.resolve(path))
              .timeout(PATIENCE)
              .header("Authorization", "Bearer " + token);
      try {
        var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        body = answer.body();
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
      new Thread(this::read).start();
    }

    private void read() {
      var reader = new BufferedReader(new InputStreamReader(body, UTF_8));
      try {
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
          lines.add(line);
        }
        ended = true;
      } catch (IOException e) {
        // closed by the test
      }
    }

    void awaitLine() {
      Patience.until("something is sent", PATIENCE, () -> !lines.isEmpty());
    }

    void awaitEnd() {
      Patience.until("the stream ends", PATIENCE, () -> ended);
    }

    @Override
    public void close() {
      try {
        body.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
