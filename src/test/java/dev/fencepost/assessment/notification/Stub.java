package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A receiver that says what it is told to and remembers what it was sent. */
final class Stub implements AutoCloseable {

  @SuppressWarnings("ArrayRecordComponent") // never compared, only carried
  record Seen(String path, Map<String, List<String>> headers, byte[] body) {

    String header(String name) {
      return headers.entrySet().stream()
          .filter(entry -> entry.getKey().equalsIgnoreCase(name))
          .map(entry -> entry.getValue().get(0))
          .findFirst()
          .orElseThrow();
    }

    JsonNode json() {
      try {
        return new ObjectMapper().readTree(body);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final HttpServer server;
  private final List<Seen> seen = new CopyOnWriteArrayList<>();

  private volatile int status = 200;
  private volatile Map<String, String> headers = Map.of();
  private volatile String body = "";
  private volatile boolean silent;

  Stub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    seen.add(
        new Seen(
            exchange.getRequestURI().toString(),
            Map.copyOf(exchange.getRequestHeaders()),
            exchange.getRequestBody().readAllBytes()));
    if (silent) {
      return;
    }
    var bytes = body.getBytes(UTF_8);
    headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  void answers(int nextStatus, Map<String, String> nextHeaders, String nextBody) {
    status = nextStatus;
    headers = nextHeaders;
    body = nextBody;
  }

  void saysNothing() {
    silent = true;
  }

  String url(String pathAndQuery) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + pathAndQuery;
  }

  List<Seen> seen() {
    return seen;
  }

  Seen last() {
    return seen.get(seen.size() - 1);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
