package dev.fencepost.asset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.List;

/** Components as the {@code inventory} table keeps them; see its migration. */
final class ComponentColumn {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WITH_SOURCE = 3;

  private ComponentColumn() {}

  static String write(List<Component> components) {
    try {
      return JSON.writeValueAsString(components.stream().map(ComponentColumn::row).toList());
    } catch (JsonProcessingException e) {
      throw new AssertionError("lists of strings are plain data", e);
    }
  }

  static List<Component> read(String column) {
    try {
      return Arrays.stream(JSON.readValue(column, String[][].class))
          .map(ComponentColumn::component)
          .toList();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an inventory row is not as it was written", e);
    }
  }

  private static List<String> row(Component component) {
    var source = component.source();
    return source == null
        ? List.of(component.purl().text())
        : List.of(component.purl().text(), source.name(), source.version());
  }

  private static Component component(String[] row) {
    return new Component(
        Purl.parse(row[0]), row.length == WITH_SOURCE ? new SourcePackage(row[1], row[2]) : null);
  }
}
