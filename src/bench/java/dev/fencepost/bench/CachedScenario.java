package dev.fencepost.bench;

import io.smallrye.mutiny.Uni;
import java.util.function.IntFunction;

/** What is known already, against a bare Quarkus endpoint that answers with one pipelined GET. */
final class CachedScenario {

  private static final int IN_FLIGHT = Town.ASSETS;
  private static final int WARM_UP_ROUNDS = 22;

  private CachedScenario() {}

  static void run(Town town, Scale scale, Results results) {
    var tickets = new String[IN_FLIGHT];
    ClosedLoop.each(
        town.vertx(),
        IN_FLIGHT,
        IN_FLIGHT,
        i ->
            town.toService()
                .send(
                    io.vertx.core.http.HttpMethod.POST,
                    "/v1/assets/web-" + i + "/assessments",
                    "{}",
                    java.util.Map.of("Prefer", "wait=30"))
                .invoke(
                    answer -> {
                      var text = answer.body();
                      tickets[i] = Client.read(text).get("ticket_id").asText();
                      keepBare(town.stores(), i, text);
                    }));
    IntFunction<Uni<?>> post =
        w -> town.toService().post("/v1/assets/web-" + w + "/assessments", "{}");
    IntFunction<Uni<?>> get = w -> town.toService().get("/v1/tickets/" + tickets[w]);
    IntFunction<Uni<?>> bare = w -> town.toYardstick().get("/bare/values/" + w);
    var turns =
        new Turns<Measured>()
            .side("POST finished work", () -> round(town, town.service(), scale, post))
            .side("bare GET", () -> round(town, town.yardstick(), scale, bare))
            .side("GET ticket", () -> round(town, town.service(), scale, get))
            .warmUp("POST finished work", scale.of(WARM_UP_ROUNDS))
            .warmUp("GET ticket", scale.of(WARM_UP_ROUNDS))
            .warmUp("bare GET", scale.of(WARM_UP_ROUNDS / 2))
            .play(scale.rounds());
    for (var side : new String[] {"POST finished work", "GET ticket"}) {
      var ratio = turns.ratio(side, "bare GET", Measured::perSecond);
      results.add(
          Line.of("cached")
              .with("request", side)
              .with("in flight", IN_FLIGHT)
              .with("fencepost /s", turns.spread(side, Measured::perSecond))
              .with("bare /s", turns.spread("bare GET", Measured::perSecond))
              .with("ratio", ratio)
              .atLeast(0.8, ratio)
              .with("p50 ms", turns.spread(side, m -> m.round.p50()).median())
              .with("p99 ms", turns.spread(side, m -> m.round.p99()).median())
              .with("CPU µs", turns.spread(side, Measured::cpuMicros))
              .with("bare CPU µs", turns.spread("bare GET", Measured::cpuMicros)));
    }
  }

  private record Measured(Round round, double cpuMicros) {
    double perSecond() {
      return round.perSecond();
    }
  }

  private static void keepBare(Stores stores, int worker, String value) {
    try (var redis = stores.resp()) {
      redis.send("SET", "bare:" + worker, value);
    }
  }

  private static Measured round(Town town, Child child, Scale scale, IntFunction<Uni<?>> work) {
    var cpu = child.cpu();
    var round =
        ClosedLoop.run(town.vertx(), IN_FLIGHT, scale.round(), ClosedLoop.Operation.of(work));
    return new Measured(round, Cpu.microsBetween(cpu, child.cpu()) / round.operations());
  }
}
