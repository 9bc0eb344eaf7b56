package dev.fencepost;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of notifications for every {@code QuarkusTest}. It runs in another class loader than
 * the tests, so they ask it over HTTP: {@code GET /seen} lists what it was sent, a line each;
 * {@code PUT /answer} says with which status it answers from then on.
 */
@WithTestResource(value = Webhook.class, scope = TestResourceScope.GLOBAL)
public final class Webhook implements QuarkusTestResourceLifecycleManager {

  private static final int NO_BODY = -1;

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private volatile int status = 204;
  private @Nullable HttpServer server;

  @Override
  public Map<String, String> start() {
    try {
      var started =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      started.createContext("/hook", this::receive);
      started.createContext("/seen", this::tell);
      started.createContext("/answer", this::change);
      started.setExecutor(Executors.newFixedThreadPool(4));
      started.start();
      server = started;
      var base = "http://127.0.0.1:" + started.getAddress().getPort();
      return Map.of(
          "test.webhook",
          base,
          "fencepost.notify.channels.ops.type",
          "webhook",
          "fencepost.notify.channels.ops.url",
          base + "/hook");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      seen.add(
          "%s %s %s %s"
              .formatted(
                  headers.getFirst("Idempotency-Key"),
                  headers.getFirst("X-Fencing-Token"),
                  headers.getFirst("Traceparent"),
                  body.replace("\n", " ")));
      exchange.sendResponseHeaders(status, NO_BODY);
    }
  }

  private void tell(HttpExchange exchange) throws IOException {
    try (exchange) {
      var text = String.join("\n", seen).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, text.length == 0 ? NO_BODY : text.length);
      exchange.getResponseBody().write(text);
    }
  }

  private void change(HttpExchange exchange) throws IOException {
    try (exchange) {
      status =
          Integer.parseInt(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(204, NO_BODY);
    }
  }
}
