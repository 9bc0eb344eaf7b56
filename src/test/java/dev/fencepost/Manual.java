package dev.fencepost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What docs/operations.md tells an operator to set. */
public final class Manual {

  private static final Path FILE = Path.of("docs", "operations.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
  private static final Pattern VARIABLE =
      Pattern.compile("(?m)^([A-Z][A-Z0-9_]*)=('[^']*'|[^\\s#]*)( .*)?$");

  private Manual() {}

  public static String text() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The environments of a section, block by block: those of its {@code sh} blocks that are nothing
   * but variables.
   */
  public static List<Map<String, String>> environments(String section) {
    var begin = text().indexOf("\n## " + section + "\n");
    if (begin < 0) {
      throw new AssertionError("the manual has no section " + section);
    }
    var end = text().indexOf("\n## ", begin + 1);
    return BLOCK
        .matcher(text().substring(begin, end < 0 ? text().length() : end))
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.lines().allMatch(line -> VARIABLE.matcher(line).matches()))
        .map(Manual::environment)
        .toList();
  }

  private static Map<String, String> environment(String block) {
    var environment = new LinkedHashMap<String, String>();
    VARIABLE
        .matcher(block)
        .results()
        .forEach(line -> environment.put(line.group(1), line.group(2).replace("'", "")));
    return environment;
  }

  /**
   * The environments of some blocks as one, with what the manual names replaced by what there is.
   */
  public static Map<String, String> merged(
      List<Map<String, String>> environments, Map<String, String> replacements) {
    var merged = new LinkedHashMap<String, String>();
    environments.stream()
        .flatMap(environment -> environment.entrySet().stream())
        .forEach(entry -> merged.put(entry.getKey(), replaced(entry.getValue(), replacements)));
    return merged;
  }

  private static String replaced(String value, Map<String, String> replacements) {
    var text = value;
    for (var replacement : replacements.entrySet()) {
      text = text.replace(replacement.getKey(), replacement.getValue());
    }
    return text;
  }
}
