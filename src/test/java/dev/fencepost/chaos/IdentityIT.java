package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What one process decides about a token, the other knows; and what both do without Redis. */
class IdentityIT {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration A_SECOND = Duration.ofMillis(1_000);

  /** Of a process that has nothing else to do on a machine that has. */
  private static final Duration REQUEST_ITSELF = Duration.ofMillis(500);

  private static final int MAX_STALE_SECONDS = 6;
  private static final String PASSWORD = "correct horse battery";

  private static Arena arena;
  private static ServiceProcess a;
  private static ServiceProcess b;

  @BeforeAll
  static void start() {
    arena =
        Arena.with(
            Map.of("fencepost.identity.max-stale", MAX_STALE_SECONDS + "s"), "identity", "a", "b");
    a = arena.replicas().get(0);
    b = arena.replicas().get(1);
  }

  @AfterAll
  static void end() {
    arena.close();
  }

  @Test
  void what_one_process_ends_the_other_refuses_within_a_second() {
    create("ended");
    var first = token(a, "ended");
    assertThat(status(b, first)).isEqualTo(200);
    admin("POST", "/v1/users/ended/logout", "");
    refused(first);
    var second = token(a, "ended");
    assertThat(status(b, second)).as("a new login in the same second").isEqualTo(200);
    admin("PUT", "/v1/users/ended/password", "{\"password\":\"" + PASSWORD + "\"}");
    refused(second);
    var third = token(a, "ended");
    assertThat(status(b, third)).isEqualTo(200);
    send(a, "POST", "/oauth/revoke", null, "application/x-www-form-urlencoded", "token=" + third);
    refused(third);
    var fourth = token(b, "ended");
    assertThat(status(b, fourth)).isEqualTo(200);
    admin("PUT", "/v1/users/ended/permissions", "{\"permissions\":[]}");
    Patience.until(
        "b knows of the new permissions",
        A_SECOND.plus(REQUEST_ITSELF),
        () -> status(b, fourth) == 403);
  }

  @Test
  void without_redis_the_local_copy_is_good_for_a_while_and_then_nobody_gets_in() {
    create("stale");
    var token = token(a, "stale");
    assertThat(status(a, token)).isEqualTo(200);
    var away = System.nanoTime();
    arena.redis().signal(Signal.STOP);
    try {
      while (System.nanoTime() - away < Duration.ofSeconds(MAX_STALE_SECONDS - 2).toNanos()) {
        assertThat(status(a, token)).as("on the local copy").isEqualTo(200);
        Patience.pause(100);
      }
      Patience.until(
          "the local copy is too old",
          Duration.ofSeconds(MAX_STALE_SECONDS),
          () -> status(a, token) == 503);
    } finally {
      arena.redis().signal(Signal.CONT);
    }
    Patience.until("a is back", Duration.ofSeconds(4), () -> status(a, token) == 200);
  }

  private static void refused(String token) {
    Patience.until(
        "b refuses the token", A_SECOND.plus(REQUEST_ITSELF), () -> status(b, token) == 401);
  }

  private static void create(String user) {
    admin(
        "POST",
        "/v1/users",
        "{\"user_id\":\"%s\",\"password\":\"%s\",\"kind\":\"person\",\"permissions\":[\"assets:read\"]}"
            .formatted(user, PASSWORD));
  }

  private static void admin(String method, String path, String body) {
    var token = LoggedIn.token(base(a), "admin", LoggedIn.ADMIN_PASSWORD);
    assertThat(send(a, method, path, token, "application/json", body)).isBetween(200, 299);
  }

  private static String token(ServiceProcess at, String user) {
    return LoggedIn.token(base(at), user, PASSWORD);
  }

  private static int status(ServiceProcess at, String token) {
    return send(at, "GET", "/v1/assets?limit=1", token, "application/json", "");
  }

  private static int send(
      ServiceProcess at, String method, String path, String token, String type, String body) {
    var request =
        HttpRequest.newBuilder(at.at(path))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString()).statusCode();
    } catch (IOException e) {
      throw new AssertionError(path, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base(ServiceProcess at) {
    return "http://" + at.at("/").getAuthority();
  }
}
