package dev.fencepost.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a native compiler would be given: {@code mvn package -Dnative
 * -Dquarkus.native.sources-only=true} makes it. Without that, only {@code -Dnative.required=true}
 * makes this a failure.
 */
class NativeSourcesTest {

  private static final Path SOURCES = Path.of("target", "native-sources");

  @BeforeAll
  static void sourcesAreThere() {
    assumeTrue(
        Files.isDirectory(SOURCES) || Boolean.getBoolean("native.required"), "no native sources");
  }

  @Test
  void what_is_missing_at_build_time_is_an_error_and_nothing_falls_back_to_a_jvm()
      throws IOException {
    assertThat(Files.readString(SOURCES.resolve("native-image.args")))
        .contains("--no-fallback", "--link-at-build-time", "-jar");
  }

  @Test
  void every_type_that_jackson_meets_may_be_reflected_on() throws IOException {
    var registered =
        StreamSupport.stream(configuration("reflect-config.json").spliterator(), false)
            .filter(entry -> entry.path("allDeclaredConstructors").asBoolean())
            .map(entry -> entry.get("name").asText())
            .toList();

    assertThat(JsonTypes.handled()).map(Class::getName).isSubsetOf(registered);
    assertThat(JsonTypes.inSignatures())
        .filteredOn(Class::isRecord)
        .map(Class::getName)
        .isSubsetOf(registered);
  }

  @Test
  void the_methods_of_resources_may_be_looked_up_by_the_filters_before_them() throws IOException {
    var registered =
        StreamSupport.stream(configuration("reflect-config.json").spliterator(), false)
            .filter(entry -> entry.path("allDeclaredMethods").asBoolean())
            .map(entry -> entry.get("name").asText())
            .toList();

    assertThat(JsonTypes.resources().map(Class::getName))
        .hasSizeGreaterThan(5)
        .isSubsetOf(registered);
  }

  @Test
  void every_script_migration_and_sample_travels_and_is_registered() throws IOException {
    var patterns =
        StreamSupport.stream(
                configuration("resource-config.json").at("/resources/includes").spliterator(),
                false)
            .map(entry -> Pattern.compile(entry.get("pattern").asText()))
            .toList();

    assertThat(entries("lua/", "db/migration/", "samples/"))
        .hasSizeGreaterThan(13)
        .allMatch(name -> patterns.stream().anyMatch(p -> p.matcher(name).matches()));
  }

  @Test
  void the_bundled_stores_stay_at_home() throws IOException {
    try (Stream<Path> libraries = Files.list(SOURCES.resolve("lib"))) {
      assertThat(libraries.map(Path::toString))
          .isNotEmpty()
          .noneMatch(name -> name.contains("embedded"));
    }
  }

  private static JsonNode configuration(String name) throws IOException {
    try (var jar = new JarFile(runner().toFile());
        var text = jar.getInputStream(jar.getEntry("META-INF/native-image/" + name))) {
      return new ObjectMapper().readTree(new String(text.readAllBytes(), UTF_8));
    }
  }

  private static List<String> entries(String... folders) throws IOException {
    try (var jar = new JarFile(runner().toFile())) {
      return jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(entry -> entry.getName())
          .filter(name -> Stream.of(folders).anyMatch(name::startsWith))
          .toList();
    }
  }

  private static Path runner() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .filter(file -> file.toString().endsWith("-runner.jar"))
          .findFirst()
          .orElseThrow();
    }
  }
}
