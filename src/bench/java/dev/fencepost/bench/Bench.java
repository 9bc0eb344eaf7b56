package dev.fencepost.bench;

import io.smallrye.context.SmallRyeContextManagerProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs scenarios, one after the other: first those over HTTP, on one service, then each on empty
 * stores.
 */
public final class Bench {

  /** One thing to measure. */
  interface Scenario {
    void run(Ground ground, Results results) throws Exception;
  }

  private interface OnStores {
    void run(Stores stores, Scale scale, Results results) throws Exception;
  }

  private interface InTown {
    void run(Town town, Scale scale, Results results) throws Exception;
  }

  private static final Map<String, Scenario> SCENARIOS = new LinkedHashMap<>();

  static {
    put("cached", CachedScenario::run);
    put("idempotency", IdempotencyScenario::run);
    put("assessment", AssessmentScenario::run);
    put("growth", GrowthScenario::run);
    put("live", LiveScenario::rates);
    put("profile", ProfileScenario::run); // what runs after a recording is slow for a while
    putOnEmpty("sweep", LiveScenario::sweep);
    putOnEmpty("lease", LeaseScenario::run);
    putOnEmpty("renewal", RenewalScenario::run);
    putOnEmpty("write", WriteScenario::run);
    putOnEmpty("limits", LimitsScenario::run);
    putOnEmpty("match", MatchScenario::run);
    putOnEmpty("startup", StartupScenario::run);
  }

  private static void put(String name, InTown scenario) {
    SCENARIOS.put(name, (ground, results) -> scenario.run(ground.town(), ground.scale(), results));
  }

  private static void putOnEmpty(String name, OnStores scenario) {
    SCENARIOS.put(
        name, (ground, results) -> scenario.run(ground.emptied(), ground.scale(), results));
  }

  private Bench() {}

  public static void main(String... args) throws Exception {
    var wanted = new ArrayList<>(List.of(args));
    var scale = wanted.remove("--smoke") ? Scale.SMOKE : Scale.FULL;
    if (wanted.equals(List.of("report"))) {
      Tables.rewrite();
      return;
    }
    if (wanted.equals(List.of("all"))) {
      wanted = new ArrayList<>(SCENARIOS.keySet());
    }
    if (wanted.isEmpty() || !SCENARIOS.keySet().containsAll(wanted)) {
      System.err.println("usage: bin/bench [--smoke] all | report | " + SCENARIOS.keySet());
      System.exit(2);
    }
    System.exit(measureAll(wanted, scale) ? 0 : 1);
  }

  /** What went wrong in one scenario does not take the others' figures away. */
  private static boolean measureAll(List<String> wanted, Scale scale) {
    var whole = true;
    // Two threads that are the first to need it would set it twice, and one would fail.
    SmallRyeContextManagerProvider.getManager();
    try (var ground = new Ground(scale)) {
      for (var name : wanted) {
        try {
          measure(name, ground);
        } catch (Exception e) {
          whole = false;
          System.err.println("# " + name + " could not be measured");
          e.printStackTrace();
        }
      }
    }
    return whole;
  }

  private static void measure(String name, Ground ground) throws Exception {
    var begin = System.nanoTime();
    var results = new Results(name);
    SCENARIOS.get(name).run(ground, results);
    var seconds = (System.nanoTime() - begin) / 1e9;
    results.write(ground.scale().isSmoke(), ground.redisVersion(), seconds);
    System.out.printf("# %s took %.0f s%n", name, seconds);
  }
}
