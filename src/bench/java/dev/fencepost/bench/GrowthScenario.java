package dev.fencepost.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** How the cost of an assessment grows with the tickets that are already there. */
final class GrowthScenario {

  private static final int[] TICKETS = {1_000, 100_000, 1_000_000};
  private static final int LANES = 64;
  private static final int IN_FLIGHT = Town.ASSETS;
  private static final int BATCH = 2_000;

  /** So that a ticket has about the 1.5 kB of one with a finding. */
  private static final int FACT_BYTES = 600;

  private GrowthScenario() {}

  /**
   * With as many tickets there.
   *
   * @param redisMicros processor time of Redis for one assessment: its own clock would count the
   *     time in which the service has the processor
   */
  private record Grown(
      int tickets, Spread perSecond, Spread straight, Spread redisMicros, double megabytes) {}

  static void run(Town town, Scale scale, Results results) {
    var stores = town.stores();
    town.warmUp(scale);
    var grown = new ArrayList<Grown>();
    var there = 0;
    for (var tickets : TICKETS) {
      load(stores, there, scale.of(tickets));
      there = scale.of(tickets);
      grown.add(measure(stores, town, scale, there));
    }
    show(grown, results);
  }

  private record Measured(Round round, double redisMicros) {
    double perSecond() {
      return round.perSecond();
    }
  }

  private static Turns<Measured> sides(Stores stores, Town town, Scale scale) {
    return new Turns<Measured>()
        .side("fencepost", () -> round(stores, town, scale))
        .side("straight line", () -> straight(town, scale));
  }

  private static Grown measure(Stores stores, Town town, Scale scale, int tickets) {
    var turns = sides(stores, town, scale).play(scale.rounds());
    try (var redis = stores.resp()) {
      return new Grown(
          tickets,
          turns.spread("fencepost", Measured::perSecond),
          turns.spread("straight line", Measured::perSecond),
          turns.spread("fencepost", Measured::redisMicros),
          Long.parseLong(ServerTime.fields(redis, "memory").get("used_memory")) / 1e6);
    }
  }

  private static Measured round(Stores stores, Town town, Scale scale) {
    try (var redis = stores.resp()) {
      var before = ServerTime.of(redis);
      var round =
          ClosedLoop.run(
              town.vertx(),
              IN_FLIGHT,
              scale.round(),
              ClosedLoop.Operation.of(w -> town.assess("web-" + w)));
      var done = ServerTime.of(redis).since(before);
      return new Measured(round, done.cpuMicros() / round.operations());
    }
  }

  private static Measured straight(Town town, Scale scale) {
    return new Measured(
        ClosedLoop.run(
            town.vertx(),
            IN_FLIGHT,
            scale.round(),
            ClosedLoop.Operation.of(w -> town.straight("web-" + w, true))),
        0);
  }

  private static void show(ArrayList<Grown> grown, Results results) {
    var first = grown.get(0);
    for (var at : grown) {
      // Not corrected by the yardstick, whose rounds differ more than any growth that was seen.
      var growth = first.perSecond.median() / at.perSecond.median();
      results.add(
          Line.of("growth")
              .with("tickets", at.tickets)
              .with("fencepost /s", at.perSecond)
              .with("straight line /s", at.straight)
              .with("Redis CPU µs per assessment", at.redisMicros)
              .with("Redis MB", at.megabytes)
              .with("time per assessment, times that of the first row", growth)
              .atMost(1.2, growth));
    }
  }

  private static void load(Stores stores, int from, int to) {
    stores.appendOnly(false);
    try (var redis = stores.resp();
        var in = GrowthScenario.class.getResourceAsStream("/bench/load-tickets.lua")) {
      var sha = redis.text("SCRIPT", "LOAD", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      for (var at = from; at < to; at += BATCH) {
        var prefix = "assessment:{" + (at / BATCH) % LANES + "}:";
        redis.send(
            "EVALSHA", sha, 1, prefix + "recent", prefix, at, Math.min(BATCH, to - at), FACT_BYTES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    stores.awaitRehash();
    stores.appendOnly(true);
  }
}
