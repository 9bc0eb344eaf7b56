package dev.fencepost.assessment.advisory;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A server that behaves as api.osv.dev was seen to. */
final class OsvStub implements AutoCloseable {

  record Reply(int status, String body) {}

  record Received(String path, String body, Map<String, List<String>> headers) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  final List<Received> received = new CopyOnWriteArrayList<>();
  final Map<String, String> records = new ConcurrentHashMap<>();

  /** By package name and page token ("" for the first page), the result object. */
  final Map<String, String> results = new ConcurrentHashMap<>();

  /** Package names that make the server refuse a batch. */
  final Map<String, String> bad = new ConcurrentHashMap<>();

  volatile boolean namesTheIndex = true;
  volatile Function<Received, Reply> behaviour = this::usual;

  OsvStub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<JsonNode> batches() {
    return received.stream()
        .filter(request -> request.path().equals("/v1/querybatch"))
        .map(request -> tree(request.body()).path("queries"))
        .toList();
  }

  List<String> fetched() {
    return received.stream()
        .map(Received::path)
        .filter(path -> path.startsWith("/v1/vulns/"))
        .toList();
  }

  Reply usual(Received request) {
    if (request.path().startsWith("/v1/vulns/")) {
      var record = records.get(request.path().substring("/v1/vulns/".length()));
      return record == null
          ? new Reply(404, "{\"code\":5,\"message\":\"Vulnerability not found\"}")
          : new Reply(200, record);
    }
    var queries = tree(request.body()).path("queries");
    for (var i = 0; i < queries.size(); i++) {
      var reason = bad.get(name(queries.get(i)));
      if (reason != null) {
        var where = namesTheIndex ? "error in query at index " + i + ": " : "";
        return new Reply(400, "{\"code\":3,\"message\":\"" + where + reason + "\"}");
      }
    }
    return new Reply(
        200,
        StreamSupport.stream(queries.spliterator(), false)
            .map(q -> results.getOrDefault(name(q) + q.path("page_token").asText(), "{}"))
            .collect(Collectors.joining(",", "{\"results\":[", "]}")));
  }

  private static String name(JsonNode query) {
    return query.path("package").path("name").asText();
  }

  private static JsonNode tree(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request =
          new Received(
              exchange.getRequestURI().getPath(),
              new String(exchange.getRequestBody().readAllBytes(), UTF_8),
              new HashMap<>(exchange.getRequestHeaders()));
      received.add(request);
      var reply = behaviour.apply(request);
      var body = reply.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
