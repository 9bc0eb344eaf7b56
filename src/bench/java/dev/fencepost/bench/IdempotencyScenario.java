package dev.fencepost.bench;

import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.function.IntFunction;

/** What it costs to replay a stored answer, against the same request without a key. */
final class IdempotencyScenario {

  private static final int IN_FLIGHT = Town.ASSETS;
  private static final int WARM_UP_ROUNDS = 10;
  private static final String WITHOUT = "without a key";
  private static final String REPLAY = "replayed";

  private IdempotencyScenario() {}

  private record Measured(Round round, double cpuMicros, double commands) {
    double perSecond() {
      return round.perSecond();
    }
  }

  static void run(Town town, Scale scale, Results results) {
    ClosedLoop.each(town.vertx(), IN_FLIGHT, IN_FLIGHT, i -> town.assessFirst("web-" + i));
    IntFunction<Uni<?>> without = w -> ask(town, w, Map.of());
    IntFunction<Uni<?>> replay =
        w -> ask(town, w, Map.of("Idempotency-Key", "\"bench-" + w + "\""));
    var turns =
        new Turns<Measured>()
            .side(REPLAY, () -> round(town, scale, replay))
            .side(WITHOUT, () -> round(town, scale, without))
            .warmUp(REPLAY, scale.of(WARM_UP_ROUNDS))
            .play(scale.rounds());
    results.add(
        Line.of("idempotency")
            .with("in flight", IN_FLIGHT)
            .with("replayed /s", turns.spread(REPLAY, Measured::perSecond))
            .with("without a key /s", turns.spread(WITHOUT, Measured::perSecond))
            .with("ratio", turns.ratio(REPLAY, WITHOUT, Measured::perSecond))
            .with("replayed CPU µs", turns.spread(REPLAY, Measured::cpuMicros))
            .with("without a key CPU µs", turns.spread(WITHOUT, Measured::cpuMicros))
            .with("replayed scripts", turns.spread(REPLAY, Measured::commands)));
  }

  private static Uni<?> ask(Town town, int worker, Map<String, String> headers) {
    return town.toService()
        .send(HttpMethod.POST, "/v1/assets/web-" + worker + "/assessments", "{}", headers);
  }

  private static Measured round(Town town, Scale scale, IntFunction<Uni<?>> work) {
    try (var redis = town.stores().resp()) {
      var before = ServerTime.of(redis);
      var cpu = town.service().cpu();
      var round =
          ClosedLoop.run(town.vertx(), IN_FLIGHT, scale.round(), ClosedLoop.Operation.of(work));
      var each = (double) round.operations();
      return new Measured(
          round,
          Cpu.microsBetween(cpu, town.service().cpu()) / each,
          ServerTime.of(redis).since(before).calls("evalsha") / each);
    }
  }
}
