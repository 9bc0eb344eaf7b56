package dev.fencepost.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a scenario found: printed as it comes, and written down at the end. */
final class Results {

  static final Path DIRECTORY = Path.of("target", "bench");

  private final String scenario;
  private final List<Line> lines = new ArrayList<>();

  Results(String scenario) {
    this.scenario = scenario;
  }

  void add(Line line) {
    lines.add(line);
    System.out.println(line);
  }

  void write(boolean smoke, String redisVersion, double seconds) throws IOException {
    var mapper = new ObjectMapper();
    var json = mapper.createObjectNode();
    json.put("scenario", scenario).put("smoke", smoke).put("at", Instant.now().toString());
    json.put("seconds", seconds);
    json.putObject("machine")
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("cpu", cpu())
        .put("java", System.getProperty("java.runtime.version"))
        .put("redis", redisVersion);
    var all = json.putArray("lines");
    lines.forEach(line -> all.add(line.json()));
    Files.createDirectories(DIRECTORY);
    mapper
        .writerWithDefaultPrettyPrinter()
        .writeValue(DIRECTORY.resolve(scenario + ".json").toFile(), json);
  }

  private static String cpu() throws IOException {
    var info = Path.of("/proc/cpuinfo");
    return Files.isReadable(info)
        ? Files.readAllLines(info).stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse("unknown")
        : System.getProperty("os.arch");
  }
}
