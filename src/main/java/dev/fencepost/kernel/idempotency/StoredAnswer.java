package dev.fencepost.kernel.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An answer as it left, and as it will leave again.
 *
 * @param headers one {@code Name: value} a line
 * @param body UTF-8 text; empty if there is none
 */
record StoredAnswer(int status, String headers, String body) {

  static StoredAnswer of(int status, Map<String, List<String>> headers, String body) {
    return new StoredAnswer(
        status,
        headers.entrySet().stream()
            .flatMap(header -> header.getValue().stream().map(v -> header.getKey() + ": " + v))
            .collect(joining("\n")),
        body);
  }

  /** Names and values, in the order in which they were set. */
  List<Map.Entry<String, String>> headerList() {
    return headers.lines().map(StoredAnswer::entry).toList();
  }

  Optional<String> header(String name) {
    return headerList().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  byte[] bytes() {
    return body.getBytes(UTF_8);
  }

  private static Map.Entry<String, String> entry(String line) {
    var colon = line.indexOf(": ");
    return Map.entry(line.substring(0, colon), line.substring(colon + 2));
  }
}
