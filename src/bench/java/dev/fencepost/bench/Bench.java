package dev.fencepost.bench;

import io.smallrye.context.SmallRyeContextManagerProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs scenarios, one after the other, on stores that are emptied in between. */
public final class Bench {

  /** One thing to measure. */
  interface Scenario {
    void run(Stores stores, Scale scale, Results results) throws Exception;
  }

  private static final Map<String, Scenario> SCENARIOS = new LinkedHashMap<>();

  static {
    SCENARIOS.put("lease", LeaseScenario::run);
    SCENARIOS.put("renewal", RenewalScenario::run);
    SCENARIOS.put("write", WriteScenario::run);
    SCENARIOS.put("assessment", AssessmentScenario::run);
    SCENARIOS.put("growth", GrowthScenario::run);
    SCENARIOS.put("cached", CachedScenario::run);
    SCENARIOS.put("live", LiveScenario::run);
    SCENARIOS.put("idempotency", IdempotencyScenario::run);
    SCENARIOS.put("limits", LimitsScenario::run);
    SCENARIOS.put("profile", ProfileScenario::run);
    SCENARIOS.put("match", MatchScenario::run);
    SCENARIOS.put("startup", StartupScenario::run);
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
    try (var stores = new Stores()) {
      for (var name : wanted) {
        try {
          measure(name, stores, scale);
        } catch (Exception e) {
          whole = false;
          System.err.println("# " + name + " could not be measured");
          e.printStackTrace();
        }
      }
    }
    return whole;
  }

  private static void measure(String name, Stores stores, Scale scale) throws Exception {
    var begin = System.nanoTime();
    stores.empty();
    var results = new Results(name);
    SCENARIOS.get(name).run(stores, scale, results);
    var seconds = (System.nanoTime() - begin) / 1e9;
    results.write(scale.isSmoke(), stores.redisVersion(), seconds);
    System.out.printf("# %s took %.0f s%n", name, seconds);
  }
}
