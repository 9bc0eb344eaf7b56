package dev.fencepost.bench;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The world around: a host that is probed, an OSV API that knows log4shell, and a webhook. */
final class Outside implements AutoCloseable {

  private static final Path LOG4SHELL =
      Path.of("examples", "advisories", "maven", "GHSA-jfh8-c2jp-5v3q.json");
  private static final String FOUND =
      "{\"vulns\":[{\"id\":\"GHSA-jfh8-c2jp-5v3q\",\"modified\":\"2022-03-25T20:56:18Z\"}]}";
  private static final String A_QUERY = "\"package\"";

  private final Vertx vertx;
  private final List<HttpServer> servers = new ArrayList<>();
  private final Buffer record;
  private final int port = Child.freePort();
  private volatile int millis;

  /** Listens on as many event loops as there are processors. */
  Outside(Vertx vertx) throws IOException {
    this.vertx = vertx;
    record = Buffer.buffer(Files.readAllBytes(LOG4SHELL));
    var options = new HttpServerOptions().setHost("127.0.0.1").setPort(port).setAcceptBacklog(1024);
    for (var i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      var server = vertx.createHttpServer(options).requestHandler(this::answer);
      server.listen().toCompletionStage().toCompletableFuture().join();
      servers.add(server);
    }
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  /** From now on every answer takes so long. */
  void takes(int milliseconds) {
    millis = milliseconds;
  }

  private void answer(HttpServerRequest request) {
    request.body().onSuccess(body -> answerLater(request, body));
  }

  private void answerLater(HttpServerRequest request, Buffer body) {
    if (millis == 0) {
      answer(request, body);
    } else {
      vertx.setTimer(millis, timer -> answer(request, body));
    }
  }

  private void answer(HttpServerRequest request, Buffer body) {
    var response = request.response().putHeader("Content-Type", "application/json");
    if (request.path().equals("/v1/querybatch")) {
      response.end(results(body.toString()));
    } else if (request.path().startsWith("/v1/vulns/")) {
      response.end(record);
    } else {
      response.setStatusCode(204).end();
    }
  }

  /** One result per query; the first has something. */
  private static String results(String queries) {
    var results = new StringBuilder("{\"results\":[").append(FOUND);
    for (var at = queries.indexOf(A_QUERY, queries.indexOf(A_QUERY) + 1);
        at >= 0;
        at = queries.indexOf(A_QUERY, at + 1)) {
      results.append(",{}");
    }
    return results.append("]}").toString();
  }

  @Override
  public void close() {
    servers.forEach(server -> server.close().toCompletionStage().toCompletableFuture().join());
  }
}
