package dev.fencepost.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The manifests, as a cluster gets them. Needs {@code kubectl}; with {@code
 * -Dkubectl.required=true} its absence is a failure.
 */
class RenderedManifestsTest {

  private static final Path OVERLAYS = Path.of("k8s", "overlays");

  @BeforeAll
  static void kubectlIsThere() {
    var found =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
    assumeTrue(found || Boolean.getBoolean("kubectl.required"), "kubectl is not installed");
  }

  static Stream<String> overlays() throws IOException {
    try (var folders = Files.list(OVERLAYS)) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void what_an_overlay_renders_fits_the_model_and_lies_in_one_namespace(String overlay) {
    var rendered = rendered(overlay);

    assertThat(rendered.objects())
        .filteredOn(object -> !object.getKind().equals("Namespace"))
        .hasSizeGreaterThan(6)
        .allSatisfy(
            object ->
                assertThat(object.getMetadata().getNamespace())
                    .isEqualTo(overlay.equals("dev") ? "fencepost-dev" : "fencepost"));
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void the_service_gets_all_that_it_cannot_start_without(String overlay) {
    assertThat(settings(rendered(overlay)))
        .containsEntry("QUARKUS_PROFILE", "kubernetes")
        .containsKeys(
            "QUARKUS_REDIS_HOSTS", "QUARKUS_DATASOURCE_JDBC_URL", "FENCEPOST_IDENTITY_KEYS_PATH");
  }

  /** The reactive URL follows from a JDBC URL without parameters only. */
  @ParameterizedTest
  @MethodSource("overlays")
  void a_database_url_with_parameters_is_given_twice(String overlay) {
    var settings = settings(rendered(overlay));

    assertThat(settings.get("QUARKUS_DATASOURCE_JDBC_URL").contains("?"))
        .isEqualTo(settings.containsKey("QUARKUS_DATASOURCE_REACTIVE_URL"));
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void the_image_comes_from_a_registry_and_has_a_tag(String overlay) {
    assertThat(containers(rendered(overlay)))
        .hasSize(2)
        .allSatisfy(container -> assertThat(container.getImage()).matches(".+/fencepost:.+"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sentinel", "cluster"})
  void each_kind_of_redis_has_its_client(String kind) {
    assertThat(settings(rendered("production-" + kind)))
        .containsEntry("QUARKUS_REDIS_CLIENT_TYPE", kind);
  }

  @Test
  void an_archive_has_a_setting_a_volume_and_a_mount() {
    var rendered = rendered("production-archive");
    var folder = settings(rendered).get("FENCEPOST_AUDIT_ARCHIVE_PATH");
    var pod = rendered.one(Deployment.class, "fencepost").getSpec().getTemplate().getSpec();

    assertThat(pod.getContainers().get(0).getVolumeMounts())
        .extracting("mountPath")
        .contains(folder, "/tmp", settings(rendered).get("FENCEPOST_DATA_DIR"));
    assertThat(pod.getVolumes()).extracting("name").contains("archive", "tmp", "data");
  }

  @Test
  void in_production_no_two_processes_share_a_node() {
    var constraints =
        rendered("production")
            .one(Deployment.class, "fencepost")
            .getSpec()
            .getTemplate()
            .getSpec()
            .getTopologySpreadConstraints();

    assertThat(constraints)
        .extracting("topologyKey", "whenUnsatisfiable")
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("kubernetes.io/hostname", "DoNotSchedule"),
            org.assertj.core.groups.Tuple.tuple("topology.kubernetes.io/zone", "ScheduleAnyway"));
  }

  private static Stream<Container> containers(Manifests rendered) {
    var pod = rendered.one(Deployment.class, "fencepost").getSpec().getTemplate().getSpec();
    return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
  }

  /** By the reference that the pod has: its name ends in the hash of what it holds. */
  private static Map<String, String> settings(Manifests rendered) {
    var name = containers(rendered).findFirst().orElseThrow().getEnvFrom().get(0).getConfigMapRef();
    return rendered.one(ConfigMap.class, name.getName()).getData();
  }

  private static Manifests rendered(String overlay) {
    try {
      var process =
          new ProcessBuilder("kubectl", "kustomize", OVERLAYS.resolve(overlay).toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      var text = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as("kubectl kustomize " + overlay).isZero();
      return Manifests.parse(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
