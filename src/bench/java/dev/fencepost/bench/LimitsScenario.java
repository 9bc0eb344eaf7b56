package dev.fencepost.bench;

import dev.fencepost.assessment.BenchTickets;
import dev.fencepost.platform.redis.RedisRoad;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.util.Map;

/** What each part of this machine can do alone: the ceiling under which everything else lies. */
final class LimitsScenario {

  private static final int IN_FLIGHT = 64;

  private LimitsScenario() {}

  static void run(Stores stores, Scale scale, Results results) throws IOException {
    http(scale, results);
    try (var wiring = new Wiring(stores.redisPort(), stores.redisPassword(), Map.of())) {
      redis(wiring, scale, results);
    }
  }

  private static void http(Scale scale, Results results) throws IOException {
    var vertx = Vertx.vertx();
    try (var outside = new Outside(vertx);
        var client = new Client(vertx, outside.port())) {
      var work = ClosedLoop.Operation.of(w -> client.get("/probe"));
      show("stub over HTTP, client and server in one process", vertx, scale, results, work);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private static void redis(Wiring wiring, Scale scale, Results results) {
    var road = wiring.get(RedisRoad.class);
    var tickets = new BenchTickets(wiring);
    var get = Request.cmd(Command.GET).arg("nothing");
    show(
        "GET on the pipelined road",
        wiring.vertx(),
        scale,
        results,
        ClosedLoop.Operation.of(w -> road.send(get)));
    show(
        "all five scripts of an assessment, without its steps",
        wiring.vertx(),
        scale,
        results,
        ClosedLoop.Operation.of(w -> tickets.wholeTicket("limit-" + w, "")));
  }

  private static void show(
      String what, Vertx vertx, Scale scale, Results results, ClosedLoop.Operation work) {
    var turns =
        new Turns<Round>()
            .side(what, () -> ClosedLoop.run(vertx, IN_FLIGHT, scale.round(), work))
            .play(Math.min(3, scale.rounds()));
    results.add(
        Line.of("limits")
            .with("alone", what)
            .with("in flight", IN_FLIGHT)
            .with("per second", turns.spread(what, Round::perSecond))
            .with("p50 ms", turns.spread(what, Round::p50).median()));
  }
}
