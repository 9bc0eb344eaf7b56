package dev.fencepost.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** A folder that kustomize builds on: what its file names, taken at its word. */
record Kustomization(Path folder, Map<String, Object> content) {

  private static final Path ROOT = Path.of("k8s");
  private static final String FILE = "kustomization.yaml";

  /** What this test understands; more than this needs a check of its own. */
  private static final Set<String> UNDERSTOOD =
      Set.of(
          "apiVersion",
          "kind",
          "namespace",
          "resources",
          "components",
          "configMapGenerator",
          "labels",
          "images",
          "patches");

  static List<Kustomization> all() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files.filter(file -> file.endsWith(FILE)).map(file -> read(file.getParent())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Kustomization read(Path folder) {
    try {
      Map<String, Object> content = new Yaml().load(Files.readString(folder.resolve(FILE)));
      if (!UNDERSTOOD.containsAll(content.keySet())) {
        throw new AssertionError(folder + " uses more than " + UNDERSTOOD);
      }
      return new Kustomization(folder.normalize(), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files of objects in this folder. */
  List<Path> objects() {
    return names("resources").map(folder::resolve).filter(Files::isRegularFile).toList();
  }

  /** The folders that it builds on. */
  List<Path> folders() {
    return Stream.concat(names("resources"), names("components"))
        .map(folder::resolve)
        .filter(path -> !Files.isRegularFile(path))
        .map(Path::normalize)
        .toList();
  }

  List<Path> patches() {
    return maps("patches")
        .map(patch -> (String) patch.get("path"))
        .filter(Objects::nonNull)
        .map(folder::resolve)
        .toList();
  }

  /** Which objects patches that are written in place are meant for, as kind and name. */
  List<String> targets() {
    return maps("patches")
        .map(patch -> (Map<?, ?>) patch.get("target"))
        .filter(Objects::nonNull)
        .map(target -> target.get("kind") + "/" + target.get("name"))
        .toList();
  }

  /** The settings it generates, from files and in place. */
  Map<String, String> settings() {
    var settings = new HashMap<String, String>();
    maps("configMapGenerator")
        .flatMap(
            generator ->
                Stream.concat(
                    strings(generator.get("literals")),
                    strings(generator.get("envs")).map(folder::resolve).flatMap(this::lines)))
        .map(line -> line.split("=", 2))
        .forEach(line -> settings.put(line[0], line[1]));
    return settings;
  }

  /** Every file of this folder that it does not name. */
  List<Path> forgotten() {
    var named = new ArrayList<>(objects());
    named.addAll(patches());
    maps("configMapGenerator")
        .flatMap(generator -> strings(generator.get("envs")))
        .forEach(file -> named.add(folder.resolve(file)));
    named.add(folder.resolve(FILE));
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !named.contains(file)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> !line.isBlank() && !line.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Stream<String> names(String key) {
    return strings(content.get(key));
  }

  private Stream<Map<?, ?>> maps(String key) {
    return ((List<?>) content.getOrDefault(key, List.of())).stream().map(item -> (Map<?, ?>) item);
  }

  private static Stream<String> strings(Object list) {
    return list == null ? Stream.of() : ((List<?>) list).stream().map(String.class::cast);
  }
}
