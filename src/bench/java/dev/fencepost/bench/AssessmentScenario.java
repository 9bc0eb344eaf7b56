package dev.fencepost.bench;

import dev.fencepost.assessment.BenchTickets;
import io.smallrye.mutiny.Uni;
import java.util.function.IntFunction;

/** Five steps to completion, against the same steps in a straight line. */
final class AssessmentScenario {

  private static final int IN_FLIGHT = Town.ASSETS;
  private static final int WATCHED = 50;
  private static final int[] STUB_MILLIS = {0, 20};
  private static final String[] FSYNC = {"everysec", "always"};

  private static final double ROUND_TRIPS_OF_A_STRAIGHT_LINE = 5;
  private static final String OURS = "fencepost";
  private static final String STRAIGHT = "straight line";
  private static final String KEPT = "straight line, kept connections";

  private final Stores stores;
  private final Scale scale;
  private final Results results;
  private final Town town;

  private AssessmentScenario(Town town, Scale scale, Results results) {
    this.stores = town.stores();
    this.scale = scale;
    this.results = results;
    this.town = town;
  }

  static void run(Town town, Scale scale, Results results) {
    new AssessmentScenario(town, scale, results).run();
  }

  private void run() {
    town.register("first-", WATCHED);
    town.warmUp(scale);
    var roundTrips = roundTrips();
    for (var fsync : FSYNC) {
      stores.fsync(fsync);
      for (var millis : STUB_MILLIS) {
        town.outside().takes(millis);
        compare(fsync, millis, roundTrips);
      }
    }
    town.outside().takes(0);
    stores.fsync(FSYNC[0]);
  }

  /** A round, with what it cost. */
  record Measured(Round round, double cpuMicros, double redisMicros, double bytes) {
    double perSecond() {
      return round.perSecond();
    }
  }

  private Turns<Measured> sides() {
    return new Turns<Measured>()
        .side(OURS, () -> round(town.service(), this::ours))
        .side(STRAIGHT, () -> round(town.yardstick(), w -> town.straight("web-" + w, true)))
        .side(KEPT, () -> round(town.yardstick(), w -> town.straight("web-" + w, false)));
  }

  private void compare(String fsync, int millis, double roundTrips) {
    var turns = sides().play(scale.rounds());
    var ratio = turns.ratio(OURS, STRAIGHT, Measured::perSecond);
    results.add(
        Line.of("assessment")
            .with("appendfsync", fsync)
            .with("stub ms", millis)
            .with("in flight", IN_FLIGHT)
            .with("fencepost /s", turns.spread(OURS, Measured::perSecond))
            .with("straight line /s", turns.spread(STRAIGHT, Measured::perSecond))
            .with("ratio", ratio)
            .atLeast(0.6, ratio)
            .with("ratio to kept connections", turns.ratio(OURS, KEPT, Measured::perSecond)));
    for (var side : new String[] {OURS, STRAIGHT, KEPT}) {
      results.add(
          Line.of("assessment-cost")
              .with("appendfsync", fsync)
              .with("stub ms", millis)
              .with("side", side)
              .with("p50 ms", turns.spread(side, m -> m.round.p50()).median())
              .with("p99 ms", turns.spread(side, m -> m.round.p99()).median())
              .with("process CPU µs", turns.spread(side, Measured::cpuMicros).median())
              .with("Redis CPU µs", turns.spread(side, Measured::redisMicros).median())
              .with("Redis bytes", turns.spread(side, Measured::bytes).median())
              .with(
                  "Redis round trips",
                  side.equals(OURS) ? roundTrips : ROUND_TRIPS_OF_A_STRAIGHT_LINE));
    }
  }

  private Uni<?> ours(int worker) {
    return town.assess("web-" + worker);
  }

  private Measured round(Child child, IntFunction<Uni<?>> work) {
    try (var redis = stores.resp()) {
      var before = ServerTime.of(redis);
      var cpu = child.cpu();
      var round =
          ClosedLoop.run(town.vertx(), IN_FLIGHT, scale.round(), ClosedLoop.Operation.of(work));
      var done = ServerTime.of(redis).since(before);
      var each = (double) round.operations();
      return new Measured(
          round,
          Cpu.microsBetween(cpu, child.cpu()) / each,
          done.cpuMicros() / each,
          done.bytes() / each);
    }
  }

  /** Of first assessments, the fast filter included; sweeps and renewals have other digests. */
  private double roundTrips() {
    var watched =
        Watched.during(
            stores,
            () -> ClosedLoop.each(town.vertx(), 4, WATCHED, i -> town.assessFirst("first-" + i)));
    var scripts = BenchTickets.scriptsOfAnAssessment();
    var roundTrips =
        (watched.sent("\"hmget\" \"assessment:") + watched.sent(scripts)) / (double) WATCHED;
    results.add(Line.of("round-trips").with("per assessment", roundTrips).atMost(6, roundTrips));
    return roundTrips;
  }
}
