import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/** The service as one device sees it over HTTP; logs in when it must. */
class Service {

  static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 401;
  private static final int CONFLICT = 409;

  /** An answer that the device cannot do anything about. */
  static class Refused extends RuntimeException {
    final int status;

    Refused(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final Options options;
  private volatile String token = "";

  Service(Options options) {
    this.options = options;
  }

  /** Makes the device's user, or gives the one that is there a new password. */
  void enroll() throws IOException {
    if (options.password.isEmpty()) {
      var secret = new byte[16];
      new SecureRandom().nextBytes(secret);
      options.password = HexFormat.of().formatHex(secret);
    }
    var admin = token("admin", options.adminPassword());
    var user = JSON.createObjectNode().put("user_id", options.user);
    user.put("password", options.password).put("kind", "device");
    user.putArray("permissions").add("device:self");
    var made = sendOnce("POST", "/v1/users", user.toString(), admin);
    if (made.statusCode() == CONFLICT) {
      var password = JSON.createObjectNode().put("password", options.password);
      made = sendOnce("PUT", "/v1/users/" + options.user + "/password", password.toString(), admin);
    }
    check(made);
  }

  JsonNode get(String path) throws IOException {
    return JSON.readTree(check(send("GET", path, null)).body());
  }

  HttpResponse<String> post(String path, JsonNode body) throws IOException {
    return send("POST", path, body == null ? null : body.toString());
  }

  /** Opens a stream of server-sent events. */
  InputStream open(String path, String lastEventId) throws IOException {
    var answer = stream(path, lastEventId);
    if (answer.statusCode() == UNAUTHORIZED) {
      answer.body().close();
      logIn();
      answer = stream(path, lastEventId);
    }
    if (answer.statusCode() != 200) {
      answer.body().close();
      throw new IOException("HTTP " + answer.statusCode() + " for the stream of commands");
    }
    return answer.body();
  }

  private HttpResponse<InputStream> stream(String path, String lastEventId) throws IOException {
    var request =
        HttpRequest.newBuilder(at(path)).header("Authorization", "Bearer " + token).timeout(LIMIT);
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    return exchange(request.build(), BodyHandlers.ofInputStream());
  }

  /** A good answer, or what is wrong with it. */
  static HttpResponse<String> check(HttpResponse<String> answer) throws IOException {
    var status = answer.statusCode();
    if (status == 429 || status >= 500) {
      throw new IOException("HTTP " + status);
    }
    if (status >= 400) {
      throw new Refused(status, "HTTP " + status + ": " + answer.body());
    }
    return answer;
  }

  private HttpResponse<String> send(String method, String path, String body) throws IOException {
    var answer = sendOnce(method, path, body, token);
    if (answer.statusCode() == UNAUTHORIZED) {
      logIn();
      answer = sendOnce(method, path, body, token);
    }
    return answer;
  }

  private HttpResponse<String> sendOnce(String method, String path, String body, String token)
      throws IOException {
    var request = HttpRequest.newBuilder(at(path)).timeout(LIMIT);
    request.header("Authorization", "Bearer " + token);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(body));
    }
    return exchange(request.build(), BodyHandlers.ofString());
  }

  private void logIn() throws IOException {
    token = token(options.user, options.password);
  }

  private String token(String user, String password) throws IOException {
    var form =
        "grant_type=password&username=%s&password=%s"
            .formatted(URLEncoder.encode(user, UTF_8), URLEncoder.encode(password, UTF_8));
    var request =
        HttpRequest.newBuilder(at("/oauth/token"))
            .timeout(LIMIT)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    var answer = check(exchange(request, BodyHandlers.ofString()));
    return JSON.readTree(answer.body()).at("/access_token").asText();
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> body)
      throws IOException {
    try {
      return http.send(request, body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private URI at(String path) {
    return options.url.resolve(path);
  }
}
