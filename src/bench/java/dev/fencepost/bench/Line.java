package dev.fencepost.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** One comparison: names and values in the order in which they are shown. */
final class Line {

  private final String table;
  private final Map<String, Object> values = new LinkedHashMap<>();

  private Line(String table) {
    this.table = table;
  }

  /** A line of a table; a scenario may have several tables. */
  static Line of(String table) {
    return new Line(table);
  }

  Line with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  Line atLeast(double goal, Spread value) {
    return with("goal", "≥ " + Spread.text(goal)).with("met", value.median() >= goal);
  }

  Line atMost(double goal, double value) {
    return with("goal", "≤ " + Spread.text(goal)).with("met", value <= goal);
  }

  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode().put("table", table);
    var shown = json.putObject("values");
    values.forEach(
        (name, value) -> {
          if (value instanceof Spread spread) {
            shown.set(name, spread.json());
          } else if (value instanceof Boolean yes) {
            shown.put(name, yes);
          } else if (value instanceof Integer || value instanceof Long) {
            shown.put(name, ((Number) value).longValue());
          } else if (value instanceof Number number) {
            shown.put(name, number.doubleValue());
          } else {
            shown.put(name, String.valueOf(value));
          }
        });
    return json;
  }

  @Override
  public String toString() {
    return table
        + values.entrySet().stream()
            .map(value -> value.getKey().replace(' ', '-') + "=" + text(value.getValue()))
            .collect(Collectors.joining(" ", " ", ""));
  }

  private static String text(Object value) {
    return value instanceof Double number ? Spread.text(number) : String.valueOf(value);
  }
}
