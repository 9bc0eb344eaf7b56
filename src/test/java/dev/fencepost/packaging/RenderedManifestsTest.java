package dev.fencepost.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
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
  private static final Path COMPONENTS = Path.of("k8s", "components");

  /** The key of the ConfigMap that installers make. */
  private static final String CA_KEY = "ca.crt";

  private static final Pattern CERTIFICATE = Pattern.compile("/[a-z/-]+\\.crt");

  @BeforeAll
  static void kubectlIsThere() {
    var found =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
    assumeTrue(found || Boolean.getBoolean("kubectl.required"), "kubectl is not installed");
  }

  static Stream<String> overlays() throws IOException {
    return folders(OVERLAYS);
  }

  static Stream<String> components() throws IOException {
    return folders(COMPONENTS);
  }

  private static Stream<String> folders(Path parent) throws IOException {
    try (var folders = Files.list(parent)) {
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
  void in_production_processes_are_spread_evenly_over_nodes() {
    var constraints =
        rendered("production")
            .one(Deployment.class, "fencepost")
            .getSpec()
            .getTemplate()
            .getSpec()
            .getTopologySpreadConstraints();

    assertThat(constraints)
        .extracting("topologyKey", "whenUnsatisfiable", "maxSkew")
        .containsExactly(
            tuple("kubernetes.io/hostname", "DoNotSchedule", 1),
            tuple("topology.kubernetes.io/zone", "ScheduleAnyway", 1));
  }

  /** Otherwise neither the one that migrates nor the service could tell its stores from others. */
  @ParameterizedTest
  @MethodSource("overlays")
  void every_file_that_settings_name_lies_on_a_mount_of_every_container(String overlay) {
    var rendered = rendered(overlay);
    var named =
        settings(rendered).values().stream()
            .flatMap(value -> CERTIFICATE.matcher(value).results())
            .map(match -> match.group())
            .toList();

    assertThat(named).hasSize(overlay.equals("dev") ? 0 : 3);
    assertThat(containers(rendered))
        .allSatisfy(
            container ->
                assertThat(named)
                    .allMatch(
                        file ->
                            container.getVolumeMounts().stream()
                                .anyMatch(
                                    mount -> file.equals(mount.getMountPath() + "/" + CA_KEY))));
  }

  @ParameterizedTest
  @MethodSource("components")
  void what_a_component_renders_fits_the_model_and_lies_in_the_namespace(String component)
      throws IOException {
    assertThat(withComponent(component).objects())
        .hasSizeGreaterThan(6)
        .filteredOn(object -> !object.getKind().equals("Namespace"))
        .allMatch(object -> object.getMetadata().getNamespace().equals("fencepost"));
  }

  @Test
  void prometheus_finds_the_pods_under_the_job_that_alerts_look_for() throws IOException {
    var rendered = withComponent("pod-monitor");
    var monitor = rendered.one(PodMonitor.class, "fencepost").getSpec();
    var pod = rendered.one(Deployment.class, "fencepost").getSpec().getTemplate();
    var ports = pod.getSpec().getContainers().get(0).getPorts();

    assertThat(pod.getMetadata().getLabels())
        .containsAllEntriesOf(monitor.selector().getMatchLabels())
        .containsEntry(monitor.jobLabel(), "fencepost");
    assertThat(monitor.podMetricsEndpoints())
        .singleElement()
        .satisfies(endpoint -> assertThat(endpoint.path()).isEqualTo("/q/metrics"))
        .satisfies(endpoint -> assertThat(ports).extracting("name").contains(endpoint.port()));
    assertThat(Files.readString(Path.of("monitoring", "alerts.yml"))).contains("job=\"fencepost\"");
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

  /** Production with one component more, as an installer would write it. */
  private static Manifests withComponent(String component) throws IOException {
    var folder = Files.createDirectories(Path.of("target", "with-component", component));
    Files.writeString(
        folder.resolve("kustomization.yaml"),
        """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        namespace: fencepost
        resources: [../../../k8s/overlays/production]
        components: [../../../k8s/components/%s]
        """
            .formatted(component));
    return rendered(folder);
  }

  private static Manifests rendered(String overlay) {
    return rendered(OVERLAYS.resolve(overlay));
  }

  private static Manifests rendered(Path overlay) {
    try {
      var process =
          new ProcessBuilder("kubectl", "kustomize", overlay.toString())
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
