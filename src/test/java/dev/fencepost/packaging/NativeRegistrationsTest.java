package dev.fencepost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.http.Problem;
import dev.fencepost.platform.http.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whether a native binary would find at run time what the JVM finds by itself. */
class NativeRegistrationsTest {

  private static final Path RESOURCES = Path.of("src", "main", "resources");

  @Test
  void every_type_that_code_hands_to_jackson_is_registered() {
    var registered = new HashSet<>(JsonTypes.named());
    registered.addAll(JsonTypes.inSignatures());

    assertThat(JsonTypes.handled())
        .contains(Problem.class, Refused.FieldError.class)
        .hasSizeGreaterThan(10)
        .allMatch(registered::contains, "is registered: see JsonTypes");
  }

  @Test
  void every_script_migration_and_sample_is_a_resource_of_the_binary() throws IOException {
    var patterns = patterns();

    try (Stream<Path> files =
        Stream.of("lua", "db/migration").map(RESOURCES::resolve).flatMap(this::below)) {
      assertThat(files.map(file -> RESOURCES.relativize(file)).toList())
          .hasSizeGreaterThan(10)
          .allMatch(file -> patterns.stream().anyMatch(p -> matches(p, file)));
    }
    assertThat(Stream.of("samples/advisories.zip", "samples/epss/epss_scores-sample.csv"))
        .allMatch(file -> patterns.stream().anyMatch(p -> matches(p, Path.of(file))));
  }

  private Stream<Path> below(Path folder) {
    try {
      return Files.walk(folder).filter(Files::isRegularFile);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean matches(String pattern, Path file) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(file);
  }

  private static List<String> patterns() throws IOException {
    var settings = new Properties();
    try (InputStream file = Files.newInputStream(RESOURCES.resolve("application.properties"))) {
      settings.load(file);
    }
    return Arrays.asList(settings.getProperty("quarkus.native.resources.includes").split(","));
  }
}
