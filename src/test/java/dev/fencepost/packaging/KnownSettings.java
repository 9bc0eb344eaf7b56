package dev.fencepost.packaging;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The names under which environment variables reach the service while it runs: what Quarkus'
 * extensions document, what our own code asks for, and what its configuration passes on. What is
 * fixed when the service is built is not among them: told later, it is passed over.
 *
 * @param defaults what is taken where nobody says anything else
 */
record KnownSettings(Set<String> environment, Map<String, String> defaults) {

  /** Keys, and what values pass on: {@code ${fencepost.http.max-body:8M}}. */
  private static final Pattern IN_THE_CONFIGURATION =
      Pattern.compile("(?m)(?:^|\\$\\{)(fencepost(?:\\.[a-z][a-z-]*)+)");

  /** What is read before there is a configuration. */
  private static final Set<String> FIRST = Set.of("FENCEPOST_EMBEDDED", "QUARKUS_PROFILE");

  /** Where a name of the operator's own goes, as Quarkus documents it. */
  private static final String PLACE = "__[A-Z0-9_]+?_(_|$)";

  /** Such a name. With a number in it, it would be taken for a place in a list. */
  private static final String ANY_NAME = "_[A-Z]+$1";

  static KnownSettings read() {
    var names = new HashSet<>(FIRST);
    var defaults = new HashMap<String, String>();
    quarkus(names, defaults);
    own(names, defaults);
    configuration(names);
    return new KnownSettings(names, defaults);
  }

  boolean knows(String variable) {
    return environment.contains(variable)
        || environment.stream()
            .filter(name -> name.contains("__"))
            .anyMatch(name -> variable.matches(name.replaceAll(PLACE, ANY_NAME)));
  }

  /** Our own settings that name a file or a folder. */
  Set<String> folders() {
    return environment.stream()
        .filter(name -> name.startsWith("FENCEPOST_"))
        .filter(name -> name.endsWith("_PATH") || name.endsWith("_DIR"))
        .collect(Collectors.toSet());
  }

  private static void quarkus(Set<String> names, Map<String, String> defaults) {
    var json = new ObjectMapper();
    try {
      var models =
          KnownSettings.class
              .getClassLoader()
              .getResources("META-INF/quarkus-config-doc/quarkus-config-model.json");
      for (var model : Collections.list(models)) {
        json.readTree(model).findParents("path").stream()
            .filter(setting -> setting.path("phase").asText().equals("RUN_TIME"))
            .forEach(
                setting -> {
                  var name = setting.at("/path/environmentVariable").asText();
                  names.add(name);
                  defaults.put(name, setting.path("defaultValue").asText());
                });
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void own(Set<String> names, Map<String, String> defaults) {
    var classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPath(Path.of("target", "classes"));
    classes.stream()
        .map(JavaClass::reflect)
        .forEach(
            type -> {
              var mapping = type.getAnnotation(ConfigMapping.class);
              if (mapping == null) {
                injected(type).forEach(name -> names.add(variable(name)));
              } else {
                var mapped = ConfigMappings.ConfigClass.configClass(type, mapping.prefix());
                ConfigMappings.getProperties(mapped)
                    .forEach(
                        (name, property) -> {
                          names.add(variable(name));
                          if (property.hasDefaultValue()) {
                            defaults.put(variable(name), property.getDefaultValue());
                          }
                        });
              }
            });
  }

  private static Stream<String> injected(Class<?> type) {
    return Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .flatMap(executable -> Arrays.stream(executable.getParameters()))
        .map(parameter -> parameter.getAnnotation(ConfigProperty.class))
        .filter(property -> property != null)
        .map(ConfigProperty::name);
  }

  private static void configuration(Set<String> names) {
    try {
      var text = Files.readString(Path.of("src", "main", "resources", "application.properties"));
      IN_THE_CONFIGURATION
          .matcher(text)
          .results()
          .forEach(name -> names.add(variable(name.group(1))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String variable(String name) {
    return name.replace("[*]", "")
        .replace("*", "\"NAME\"")
        .toUpperCase(Locale.ROOT)
        .replaceAll("[^A-Z0-9]", "_");
  }
}
