package dev.fencepost.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.channel.EventLoop;
import io.smallrye.mutiny.Uni;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.core.impl.ContextInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends requests to one process over kept connections, as fast as they are answered. Each event loop
 * has a client of its own: one that all shared was seen to lose a request that waited for a
 * connection.
 */
final class Client implements AutoCloseable {

  private static final int CONNECTIONS = 256;
  private static final String HOST = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Set<Integer> EXPECTED = Set.of(200, 201, 202, 204);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Vertx vertx;
  private final int port;
  private final Map<EventLoop, WebClient> clients = new ConcurrentHashMap<>();
  private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();

  Client(Vertx vertx, int port) {
    this.vertx = vertx;
    this.port = port;
  }

  /** Signs in, if this service knows who asks. The one place where a token is set. */
  Client signIn(String user, String password) {
    var form = "grant_type=password&username=%s&password=%s".formatted(user, password);
    var asked =
        Uni.createFrom()
            .<HttpResponse<Buffer>>emitter(
                emitter ->
                    vertx.runOnContext(
                        now ->
                            mine()
                                .post(port, HOST, "/oauth/token")
                                .putHeader("Content-Type", "application/x-www-form-urlencoded")
                                .sendBuffer(Buffer.buffer(form))
                                .onComplete(emitter::complete, emitter::fail)));
    var answer = asked.await().atMost(PATIENCE);
    if (answer.statusCode() == 404) {
      return this;
    }
    expect(answer, "/oauth/token");
    headers.set("Authorization", "Bearer " + read(answer.bodyAsString()).get("access_token").asText());
    return this;
  }

  private WebClient mine() {
    return clients.computeIfAbsent(
        ContextInternal.current().nettyEventLoop(),
        loop ->
            WebClient.create(
                vertx, new WebClientOptions().setMaxPoolSize(CONNECTIONS).setKeepAlive(true)));
  }

  /** For callers on an event loop. */
  Uni<HttpResponse<Buffer>> send(
      HttpMethod method, String path, String body, Map<String, String> special) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var request = mine().request(method, port, HOST, path);
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
    clients.values().forEach(WebClient::close);
  }
}
