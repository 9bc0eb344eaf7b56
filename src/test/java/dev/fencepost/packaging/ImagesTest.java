package dev.fencepost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The images and the compose file, as far as they can be judged without a container engine. */
class ImagesTest {

  private static final Path DOCKER = Path.of("docker");
  private static final KnownSettings KNOWN = KnownSettings.read();
  private static final Pattern SECRET = Pattern.compile(".*(PASSWORD|SECRET|TOKEN|AUTH).*");
  private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(.+) \\S+$");
  private static final Pattern FROM = Pattern.compile("(?m)^FROM (\\S+)(?: AS (\\S+))?$");
  private static final Pattern JAVA = Pattern.compile("(?m)^(RUN|ENTRYPOINT) \\[\"java\", (.*)]$");

  @ParameterizedTest
  @ValueSource(strings = {"Dockerfile.jvm", "Dockerfile.native"})
  void an_image_runs_as_nobody_of_importance_and_holds_no_secret(String file) throws IOException {
    var text = Files.readString(DOCKER.resolve(file));

    assertThat(text.lines().filter(line -> line.startsWith("USER")))
        .containsExactly("USER 10001:10001");
    assertThat(text.indexOf("USER ")).isGreaterThan(text.lastIndexOf("FROM "));
    assertThat(text.lines().filter(line -> line.matches("(ENV|ARG|    [A-Z_]+=).*")))
        .noneMatch(line -> SECRET.matcher(line).matches());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dockerfile.jvm", "Dockerfile.native"})
  void an_image_is_built_from_named_versions_and_files_that_are_there(String file)
      throws IOException {
    var text = Files.readString(DOCKER.resolve(file));

    var stages = FROM.matcher(text).results().map(from -> from.group(2)).toList();

    assertThat(FROM.matcher(text).results().map(from -> from.group(1)))
        .filteredOn(image -> !stages.contains(image))
        .hasSizeBetween(2, 3)
        .allMatch(image -> image.contains(":") && !image.endsWith(":latest"));
    assertThat(COPIED.matcher(text).results().flatMap(copy -> Stream.of(copy.group(1).split(" "))))
        .isNotEmpty()
        .allMatch(source -> Files.exists(Path.of(source)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dockerfile.jvm", "Dockerfile.native"})
  void an_image_says_by_which_right_it_is_used_and_what_is_in_it(String file) throws IOException {
    var text = Files.readString(DOCKER.resolve(file));
    var last = text.substring(text.lastIndexOf("FROM "));

    assertThat(last).contains("COPY LICENSE ./", "/src/target/fencepost-sbom.json ./");
    assertThat(Files.readString(Path.of(".dockerignore"))).contains("!LICENSE");
  }

  @Test
  void what_trains_the_cache_runs_as_the_image_does() throws IOException {
    var image = Files.readString(DOCKER.resolve("Dockerfile.jvm"));
    var training = Files.readString(DOCKER.resolve("train.sh"));

    assertThat(FROM.matcher(image).results().map(from -> from.group(1)).skip(2))
        .as("the stage that trains and the one that runs are one JVM")
        .containsExactly("runtime", "runtime");
    assertThat(image).contains("-XX:AOTCache=fencepost.aot");
    assertThat(training)
        .contains("-XX:AOTCacheOutput=fencepost.aot -XX:+UseG1GC -Xmx512m -jar quarkus-run.jar")
        .as("a share of a large builder's memory turns compressed pointers off")
        .doesNotContain("RAMPercentage");
  }

  /** The same start but for its end, and for the memory, which a builder has more of than a pod. */
  @Test
  void the_image_is_not_built_unless_its_cache_is_used_by_its_entry_point() throws IOException {
    var image = Files.readString(DOCKER.resolve("Dockerfile.jvm"));
    var last = image.substring(image.lastIndexOf("FROM "));
    var java =
        JAVA.matcher(last)
            .results()
            .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2)));

    assertThat(java.get("RUN"))
        .isEqualTo(
            "\"--dry-run\", \"-XX:AOTMode=on\", \"-Xmx512m\", "
                + java.get("ENTRYPOINT").replace("\"-XX:MaxRAMPercentage=60\", ", ""));
  }

  @Test
  void compose_builds_the_image_once_and_runs_it_twice() {
    assertThat(services().values())
        .filteredOn(service -> "fencepost".equals(service.get("image")))
        .hasSize(2)
        .filteredOn(service -> service.containsKey("build"))
        .hasSize(1);
  }

  @Test
  void compose_sets_what_the_service_reads_and_takes_secrets_from_outside() throws IOException {
    for (var replica : List.of("fencepost-1", "fencepost-2")) {
      var environment = environment(replica);

      assertThat(environment.keySet()).hasSizeGreaterThan(5).allMatch(KNOWN::knows);
      assertThat(services().get(replica))
          .containsEntry("read_only", true)
          .containsEntry("cap_drop", List.of("ALL"));
    }
    assertThat(services().keySet().stream().flatMap(name -> environment(name).entrySet().stream()))
        .filteredOn(entry -> SECRET.matcher(entry.getKey()).matches())
        .hasSizeGreaterThan(6)
        .allMatch(entry -> entry.getValue().startsWith("${"));
  }

  @Test
  void compose_runs_redis_as_the_service_demands() throws IOException {
    assertThat(String.join(" ", strings(services().get("redis").get("command"))))
        .contains("--appendonly yes", "--maxmemory-policy noeviction", "--requirepass ${");
  }

  @Test
  void compose_offers_nothing_to_other_machines_and_mounts_what_is_there() throws IOException {
    assertThat(services().values())
        .flatExtracting(service -> strings(service.get("ports")))
        .hasSize(4)
        .allMatch(port -> port.startsWith("127.0.0.1:"));
    assertThat(services().values())
        .flatExtracting(service -> strings(service.get("volumes")))
        .filteredOn(volume -> volume.startsWith(".") && !volume.startsWith("./keys:"))
        .hasSizeGreaterThan(4)
        .allMatch(volume -> Files.exists(DOCKER.resolve(volume.split(":")[0])));
  }

  @Test
  void prometheus_watches_every_replica_under_the_name_that_alerts_use() throws IOException {
    Map<String, Object> file = new Yaml().load(Files.readString(DOCKER.resolve("prometheus.yml")));
    var job = (Map<?, ?>) ((List<?>) file.get("scrape_configs")).get(0);

    assertThat(job.get("job_name")).isEqualTo("fencepost");
    assertThat(job.get("metrics_path")).isEqualTo("/q/metrics");
    assertThat(job.get("static_configs").toString())
        .contains("fencepost-1:8080", "fencepost-2:8080");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Map<String, Object>> services() {
    try {
      Map<String, Object> file = new Yaml().load(Files.readString(DOCKER.resolve("compose.yaml")));
      return (Map<String, Map<String, Object>>) file.get("services");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> environment(String service) {
    return (Map<String, String>) services().get(service).getOrDefault("environment", Map.of());
  }

  private static List<String> strings(Object list) {
    return list == null
        ? List.of()
        : Arrays.stream(((List<?>) list).toArray()).map(Objects::toString).toList();
  }
}
