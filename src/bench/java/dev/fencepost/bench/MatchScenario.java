package dev.fencepost.bench;

import dev.fencepost.assessment.advisory.BenchMatch;
import dev.fencepost.asset.BenchSbom;
import dev.fencepost.asset.Component;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Matching a real SBOM of 1,115 components, and the memory of an index of many advisories. */
final class MatchScenario {

  private static final Path SBOM = Path.of("examples", "sboms", "juice-shop_npm1115_cdx1.4.json");
  private static final Path ADVISORIES = Path.of("examples", "advisories");
  private static final int[] RECORDS = {10_000, 50_000, 200_000};

  private MatchScenario() {}

  static void run(Stores stores, Scale scale, Results results) throws IOException {
    var components = BenchSbom.components(Files.readAllBytes(SBOM));
    var originals = originals();
    try (var wiring = new Wiring(stores.redisPort(), stores.redisPassword(), Map.of())) {
      for (var records : RECORDS) {
        measure(wiring, scale.of(records), components, originals, scale, results);
      }
    }
  }

  private static void measure(
      Wiring wiring,
      int records,
      List<Component> components,
      List<String> originals,
      Scale scale,
      Results results)
      throws IOException {
    var before = heap();
    var begin = System.nanoTime();
    var index = BenchMatch.of(wiring, records, i -> renamed(originals, i));
    var loading = (System.nanoTime() - begin) / 1e9;
    var megabytes = (heap() - before) / 1e6;
    var turns =
        new Turns<double[]>()
            .side("match", () -> matched(index, components, scale))
            .play(scale.rounds());
    results.add(
        Line.of("match")
            .with("records", index.records())
            .with("components", components.size())
            .with("findings", index.findings(components))
            .with("components/s", turns.spread("match", rate -> rate[0]))
            .with("ms per SBOM", turns.spread("match", rate -> rate[1]))
            .with("index MB", megabytes)
            .with("MB per 10,000 records", megabytes * 10_000 / index.records())
            .with("load s", loading));
  }

  private static double[] matched(BenchMatch index, List<Component> components, Scale scale) {
    var begin = System.nanoTime();
    var until = begin + scale.round().toNanos();
    var times = 0;
    var found = 0;
    while (System.nanoTime() < until) {
      found += index.findings(components);
      times++;
    }
    if (found < 0) {
      throw new AssertionError("never, but the compiler does not know");
    }
    var seconds = (System.nanoTime() - begin) / 1e9;
    return new double[] {times * components.size() / seconds, 1e3 * seconds / times};
  }

  private static List<String> originals() throws IOException {
    try (var files = Files.walk(ADVISORIES)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(MatchScenario::read)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The originals once as they are; then again and again under other ids, for other packages. */
  private static byte[] renamed(List<String> originals, int i) {
    var text = originals.get(i % originals.size());
    var copy = i / originals.size();
    return (copy == 0
            ? text
            : text.replaceFirst("(\"id\"\\s*:\\s*\"[^\"]+)\"", "$1-" + copy + "\"")
                .replaceAll("(\"name\"\\s*:\\s*\"[^\"]+)\"", "$1-" + copy + "\""))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static long heap() {
    for (var i = 0; i < 3; i++) {
      System.gc();
    }
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
