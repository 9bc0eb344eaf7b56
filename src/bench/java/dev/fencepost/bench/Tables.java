package dev.fencepost.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the tables of docs/performance.md from the JSON: what stands between {@code <!-- bench:x
 * -->} and {@code <!-- /bench:x -->} is table x, or the machine for x = machine.
 */
final class Tables {

  private static final Path PAGE = Path.of("docs", "performance.md");
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- bench:([a-z-]+) -->\n).*?(<!-- /bench:\\2 -->)", Pattern.DOTALL);

  private final Map<String, List<JsonNode>> tables = new LinkedHashMap<>();
  private final List<JsonNode> files = new ArrayList<>();

  static void rewrite() throws IOException {
    var tables = new Tables();
    tables.read();
    var page = Files.readString(PAGE);
    Files.writeString(
        PAGE,
        BLOCK
            .matcher(page)
            .replaceAll(
                block ->
                    Matcher.quoteReplacement(
                        block.group(1) + tables.block(block.group(2)) + block.group(3))));
    System.out.println(PAGE + " has the tables of " + tables.files.size() + " scenarios");
  }

  private void read() throws IOException {
    try (Stream<Path> found = Files.list(Results.DIRECTORY)) {
      for (var file : found.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        var json = new ObjectMapper().readTree(file.toFile());
        files.add(json);
        json.get("lines")
            .forEach(
                line ->
                    tables
                        .computeIfAbsent(line.get("table").asText(), name -> new ArrayList<>())
                        .add(line.get("values")));
      }
    }
  }

  private String block(String name) {
    if (name.equals("machine")) {
      return machine();
    }
    var lines = tables.get(name);
    return lines == null ? "Not measured in the last run.\n" : table(lines);
  }

  private String machine() {
    if (files.isEmpty()) {
      return "Not measured yet.\n";
    }
    var machine = files.get(0).get("machine");
    var seconds = files.stream().mapToDouble(file -> file.get("seconds").asDouble()).sum();
    var smoke = files.stream().anyMatch(file -> file.get("smoke").asBoolean());
    return "%sMeasured %s to %s on %d processors (%s), Java %s, Redis %s, in %.0f s.\n"
        .formatted(
            smoke ? "**A smoke run: these numbers mean nothing.** " : "",
            files.stream().map(f -> f.get("at").asText()).min(String::compareTo).orElseThrow(),
            files.stream().map(f -> f.get("at").asText()).max(String::compareTo).orElseThrow(),
            machine.get("processors").asInt(),
            machine.get("cpu").asText(),
            machine.get("java").asText(),
            machine.get("redis").asText(),
            seconds);
  }

  private static String table(List<JsonNode> lines) {
    var columns = new LinkedHashSet<String>();
    lines.forEach(line -> line.fieldNames().forEachRemaining(columns::add));
    return row(columns.stream())
        + row(columns.stream().map(column -> "---"))
        + lines.stream()
            .map(line -> row(columns.stream().map(column -> cell(line.get(column)))))
            .collect(Collectors.joining());
  }

  private static String row(Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private static String cell(JsonNode value) {
    if (value == null) {
      return "";
    }
    if (value.isObject()) {
      return "%s (%s–%s)"
          .formatted(
              Spread.text(value.get("median").asDouble()),
              Spread.text(value.get("min").asDouble()),
              Spread.text(value.get("max").asDouble()));
    }
    if (value.isBoolean()) {
      return value.asBoolean() ? "yes" : "**no**";
    }
    if (value.isIntegralNumber()) {
      return String.format(java.util.Locale.ROOT, "%,d", value.asLong());
    }
    return value.isNumber() ? Spread.text(value.asDouble()) : value.asText();
  }
}
