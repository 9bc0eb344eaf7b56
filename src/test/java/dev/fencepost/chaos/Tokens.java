package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/** Users and tokens, as a client of one replica meets them. */
final class Tokens {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String PASSWORD = "correct horse battery";

  private Tokens() {}

  static void createUser(ServiceProcess at, String user) {
    asAdmin(
        at,
        "POST",
        "/v1/users",
        "{\"user_id\":\"%s\",\"password\":\"%s\",\"kind\":\"person\",\"permissions\":[\"assets:read\"]}"
            .formatted(user, PASSWORD));
  }

  /** Sets the same one again: all logins that rest on the old one end. */
  static void renewPassword(ServiceProcess at, String user) {
    asAdmin(at, "PUT", "/v1/users/" + user + "/password", "{\"password\":\"" + PASSWORD + "\"}");
  }

  static void asAdmin(ServiceProcess at, String method, String path, String body) {
    assertThat(send(at, method, path, ofAdmin(at), body)).isBetween(200, 299);
  }

  static String ofAdmin(ServiceProcess at) {
    return LoggedIn.token(base(at), "admin", LoggedIn.ADMIN_PASSWORD);
  }

  static String of(ServiceProcess at, String user) {
    return LoggedIn.token(base(at), user, PASSWORD);
  }

  static void revoke(ServiceProcess at, String token) {
    var request =
        HttpRequest.newBuilder(at.at("/oauth/revoke"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("token=" + token));
    assertThat(send(request).statusCode()).isEqualTo(200);
  }

  /** What a request with this token is answered with. */
  static int status(ServiceProcess at, String token) {
    return send(at, "GET", "/v1/assets?limit=1", token, "");
  }

  static int send(ServiceProcess at, String method, String path, String token, String body) {
    return send(HttpRequest.newBuilder(at.at(path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)))
        .statusCode();
  }

  /** The names of the keys it publishes. */
  static List<String> keysOf(ServiceProcess at) {
    return JsonPath.from(send(HttpRequest.newBuilder(at.at("/.well-known/jwks.json"))).body())
        .getList("keys.kid");
  }

  /** The name of the key a token is signed with. */
  static String keyOf(String token) {
    var header = new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]), UTF_8);
    return JsonPath.from(header).getString("kid");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base(ServiceProcess at) {
    return "http://" + at.at("/").getAuthority();
  }
}
