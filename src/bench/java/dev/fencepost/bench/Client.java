package dev.fencepost.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.channel.EventLoop;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends requests to one process over kept connections, one at a time on each. Written by hand, so
 * that it takes little of the processor that the measured side needs.
 */
final class Client implements AutoCloseable {

  private static final Set<Integer> EXPECTED = Set.of(200, 201, 202, 204);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String HOST = "127.0.0.1";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Vertx vertx;
  private final NetClient net;
  private final int port;
  private final Map<EventLoop, Queue<Connection>> idle = new ConcurrentHashMap<>();
  private volatile Map<String, String> always = Map.of();

  Client(Vertx vertx, int port) {
    this.vertx = vertx;
    this.net = vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true));
    this.port = port;
  }

  /** What came back. */
  record Reply(int status, String body) {}

  /** Signs in, if this service knows who asks. The one place where a token is set. */
  Client signIn(String user, String password) {
    var form = "grant_type=password&username=%s&password=%s".formatted(user, password);
    var type = Map.of("Content-Type", "application/x-www-form-urlencoded");
    var reply = wait(raw(HttpMethod.POST, "/oauth/token", form, type));
    if (reply.status() == 404) {
      return this;
    }
    expect(reply, "/oauth/token");
    always = Map.of("Authorization", "Bearer " + read(reply.body()).get("access_token").asText());
    return this;
  }

  private Reply wait(Uni<Reply> reply) {
    return Uni.createFrom()
        .<Reply>emitter(
            emitter ->
                vertx.runOnContext(now -> reply.subscribe().with(emitter::complete, emitter::fail)))
        .await()
        .atMost(PATIENCE);
  }

  /** For callers on an event loop; fails if the answer is no success. */
  Uni<Reply> send(HttpMethod method, String path, String body, Map<String, String> special) {
    var headers = new HashMap<>(always);
    if (!body.isEmpty()) {
      headers.put("Content-Type", "application/json");
    }
    headers.putAll(special);
    return raw(method, path, body, headers).invoke(reply -> expect(reply, path));
  }

  private Uni<Reply> raw(HttpMethod method, String path, String body, Map<String, String> headers) {
    return Uni.createFrom()
        .emitter(
            emitter ->
                connection()
                    .onComplete(
                        connection ->
                            connection.ask(
                                text(method, path, body, headers),
                                reply -> {
                                  idle().add(connection);
                                  emitter.complete(reply);
                                },
                                emitter::fail),
                        emitter::fail));
  }

  private Queue<Connection> idle() {
    return idle.computeIfAbsent(
        ContextInternal.current().nettyEventLoop(), loop -> new ArrayDeque<>());
  }

  private Future<Connection> connection() {
    for (var next = idle().poll(); next != null; next = idle().poll()) {
      if (!next.isClosed()) {
        return Future.succeededFuture(next);
      }
    }
    return net.connect(port, HOST).map(Connection::new);
  }

  private static String text(
      HttpMethod method, String path, String body, Map<String, String> headers) {
    var text = new StringBuilder(256);
    text.append(method.name()).append(' ').append(path).append(" HTTP/1.1\r\nHost: ").append(HOST);
    headers.forEach((name, value) -> text.append("\r\n").append(name).append(": ").append(value));
    if (method != HttpMethod.GET) {
      text.append("\r\nContent-Length: ").append(body.length());
    }
    return text.append("\r\n\r\n").append(body).toString();
  }

  Uni<Reply> get(String path) {
    return send(HttpMethod.GET, path, "", Map.of());
  }

  Uni<Reply> post(String path, String body) {
    return send(HttpMethod.POST, path, body, Map.of());
  }

  Uni<Reply> put(String path, String body) {
    return send(HttpMethod.PUT, path, body, Map.of());
  }

  private static void expect(Reply reply, String path) {
    if (!EXPECTED.contains(reply.status())) {
      throw new IllegalStateException(
          "%s answered %d: %s".formatted(path, reply.status(), reply.body()));
    }
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
    net.close();
  }
}
