package dev.fencepost.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.mutiny.Uni;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;

/** Sends requests to one process over kept connections, as fast as they are answered. */
final class Client implements AutoCloseable {

  private static final int CONNECTIONS = 256;
  private static final Set<Integer> EXPECTED = Set.of(200, 201, 202, 204);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WebClient http;
  private final int port;
  private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();

  Client(Vertx vertx, int port) {
    this.http =
        WebClient.create(
            vertx,
            new WebClientOptions()
                .setDefaultHost("127.0.0.1")
                .setMaxPoolSize(CONNECTIONS)
                .setPoolEventLoopSize(0)
                .setKeepAlive(true));
    this.port = port;
  }

  /** Signs in, if this service knows who asks. The one place where a token is set. */
  Client signIn(String user, String password) {
    var form = "grant_type=password&username=%s&password=%s".formatted(user, password);
    var answer =
        http.post(port, "127.0.0.1", "/oauth/token")
            .putHeader("Content-Type", "application/x-www-form-urlencoded")
            .sendBuffer(Buffer.buffer(form))
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    if (answer.statusCode() == 404) {
      return this;
    }
    expect(answer, "/oauth/token");
    headers.set("Authorization", "Bearer " + read(answer.bodyAsString()).get("access_token").asText());
    return this;
  }

  Uni<HttpResponse<Buffer>> send(
      HttpMethod method, String path, String body, Map<String, String> special) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var request = http.request(method, port, "127.0.0.1", path);
              request.headers().addAll(headers).addAll(special);
              if (body != null) {
                request.headers().add("Content-Type", contentType(special));
              }
              (body == null ? request.send() : request.sendBuffer(Buffer.buffer(body)))
                  .map(answer -> expect(answer, path))
                  .onComplete(emitter::complete, emitter::fail);
            });
  }

  private static String contentType(Map<String, String> special) {
    return special.getOrDefault("X-Content-Type", "application/json");
  }

  Uni<HttpResponse<Buffer>> get(String path) {
    return send(HttpMethod.GET, path, null, Map.of());
  }

  Uni<HttpResponse<Buffer>> post(String path, String body) {
    return send(HttpMethod.POST, path, body, Map.of());
  }

  Uni<HttpResponse<Buffer>> put(String path, String body) {
    return send(HttpMethod.PUT, path, body, Map.of());
  }

  private static HttpResponse<Buffer> expect(HttpResponse<Buffer> answer, String path) {
    if (!EXPECTED.contains(answer.statusCode())) {
      throw new IllegalStateException(
          "%s answered %d: %s".formatted(path, answer.statusCode(), answer.bodyAsString()));
    }
    return answer;
  }

  static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
