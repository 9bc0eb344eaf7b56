package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The world around the service: a host to be probed, an OSV API that knows log4shell, and a webhook
 * that writes down who called. Each can be slow, or hold one request for as long as a test likes.
 */
final class Outside implements AutoCloseable {

  private static final Path LOG4SHELL =
      Path.of("examples", "advisories", "maven", "GHSA-jfh8-c2jp-5v3q.json");
  private static final int NO_BODY = -1;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final ConcurrentLinkedQueue<Hold> holds = new ConcurrentLinkedQueue<>();
  private final byte[] record;
  private volatile int slowestMillis;

  Outside() {
    try {
      record = Files.readAllBytes(LOG4SHELL);
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/probe", exchange -> answer(exchange, "ONLINE_CHECK", new byte[0]));
    server.createContext(
        "/v1/querybatch",
        exchange -> answer(exchange, "VULNERABILITY_QUERY", found().getBytes(UTF_8)));
    server.createContext("/v1/vulns/", exchange -> answer(exchange, "RECORD", record));
    server.createContext("/hook", this::hook);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** From now on, every answer takes a random time up to this. */
  void slowDown(int atMostMillis) {
    slowestMillis = atMostMillis;
  }

  /** The next request of this kind will wait; holds of one kind are used in order. */
  Hold holdNext(String step) {
    var hold = new Hold(step);
    holds.add(hold);
    return hold;
  }

  /** Every call of the webhook, in the order of arrival. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  private void hook(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    calls.add(
        new Call(
            String.valueOf(headers.getFirst("Idempotency-Key")),
            Long.parseLong(headers.getFirst("X-Fencing-Token")),
            System.currentTimeMillis()));
    answer(exchange, "NOTIFICATION", new byte[0]);
  }

  private void answer(HttpExchange exchange, String step, byte[] body) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      for (var hold : holds) {
        if (hold.isFor(step) && holds.remove(hold)) {
          hold.enter(exchange.getRequestHeaders().getFirst("X-Fencing-Token"));
          break;
        }
      }
      if (slowestMillis > 0) {
        Patience.pause(ThreadLocalRandom.current().nextInt(slowestMillis));
      }
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(
          body.length == 0 ? 204 : 200, body.length == 0 ? NO_BODY : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String found() {
    return """
        {"results":[{"vulns":[{"id":"GHSA-jfh8-c2jp-5v3q","modified":"2022-03-25T20:56:18Z"}]}]}""";
  }

  @Override
  public void close() {
    holds.forEach(Hold::release);
    server.stop(0);
    threads.shutdownNow();
  }
}
