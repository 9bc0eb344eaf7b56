package dev.fencepost.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigMappings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The names under which environment variables reach the service: what Quarkus' extensions document,
 * what our own code asks for, and what the operator's manual promises.
 */
record KnownSettings(Set<String> environment) {

  private static final Pattern IN_THE_MANUAL = Pattern.compile("fencepost(\\.[a-z][a-z-]*)+");
  private static final Pattern VARIABLE = Pattern.compile("(FENCEPOST|QUARKUS)_[A-Z_]+");

  static KnownSettings read() {
    var names = new HashSet<String>();
    quarkus(names);
    own(names);
    manual(names);
    names.add("QUARKUS_PROFILE");
    return new KnownSettings(names);
  }

  boolean knows(String variable) {
    return environment.contains(variable);
  }

  /** Our own settings that name a file or a folder. */
  Set<String> folders() {
    return environment.stream()
        .filter(name -> name.startsWith("FENCEPOST_"))
        .filter(name -> name.endsWith("_PATH") || name.endsWith("_DIR"))
        .collect(Collectors.toSet());
  }

  private static void quarkus(Set<String> names) {
    var json = new ObjectMapper();
    try {
      var models =
          KnownSettings.class
              .getClassLoader()
              .getResources("META-INF/quarkus-config-doc/quarkus-config-model.json");
      for (var model : Collections.list(models)) {
        for (var path : json.readTree(model).findValues("path")) {
          addRunTime(names, path);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addRunTime(Set<String> names, JsonNode path) {
    Optional.ofNullable(path.get("environmentVariable"))
        .map(JsonNode::asText)
        .ifPresent(names::add);
  }

  private static void own(Set<String> names) {
    var classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPath(Path.of("target", "classes"));
    classes.stream()
        .map(JavaClass::reflect)
        .flatMap(KnownSettings::of)
        .forEach(name -> names.add(variable(name)));
  }

  private static Stream<String> of(Class<?> type) {
    var mapping = type.getAnnotation(ConfigMapping.class);
    if (mapping != null) {
      return ConfigMappings.getProperties(
          ConfigMappings.ConfigClass.configClass(type, mapping.prefix()))
          .keySet()
          .stream();
    }
    return Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .flatMap(executable -> Arrays.stream(executable.getParameters()))
        .map(parameter -> parameter.getAnnotation(ConfigProperty.class))
        .filter(property -> property != null)
        .map(ConfigProperty::name);
  }

  private static void manual(Set<String> names) {
    try {
      var text = Files.readString(Path.of("docs", "operations.md"));
      IN_THE_MANUAL.matcher(text).results().forEach(name -> names.add(variable(name.group())));
      VARIABLE
          .matcher(text)
          .results()
          .filter(name -> name.group().startsWith("FENCEPOST_"))
          .forEach(name -> names.add(name.group()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String variable(String name) {
    return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}
