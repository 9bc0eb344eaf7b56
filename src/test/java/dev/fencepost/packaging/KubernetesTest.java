package dev.fencepost.packaging;

import static java.lang.Boolean.TRUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.Manual;
import dev.fencepost.platform.lifecycle.StartUp;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests, as they are written: each file against the model, and against the service. */
class KubernetesTest {

  private static final Path BASE = Path.of("k8s", "base");
  private static final Path PRODUCTION = Path.of("k8s", "overlays", "production");
  private static final int BLOCK_FOR_STORES = 2;
  private static final Pattern VARIABLE = Pattern.compile("\\b(QUARKUS|FENCEPOST)_[A-Z0-9_]+\\b");
  private static final KnownSettings KNOWN = KnownSettings.read();

  private static final Set<String> WRITTEN =
      Set.of("FENCEPOST_DATA_DIR", "FENCEPOST_AUDIT_ARCHIVE_PATH");

  private static final Set<String> ONLY_READ =
      Set.of("FENCEPOST_IDENTITY_KEYS_PATH", "FENCEPOST_ADVISORIES_LOCAL_PATH");

  private static final int HTTP_PORT = Integer.parseInt(KNOWN.defaults().get("QUARKUS_HTTP_PORT"));

  private final Manifests base = baseObjects();
  private final Deployment deployment = base.one(Deployment.class, "fencepost");
  private final PodSpec pod = deployment.getSpec().getTemplate().getSpec();
  private final Container service = pod.getContainers().get(0);

  @Test
  void a_misspelt_field_would_be_noticed() {
    var manifest = "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {selectr: {a: b}}\n";

    assertThatThrownBy(() -> Manifests.parse(manifest)).hasMessageContaining("selectr");
  }

  @Test
  void every_object_and_patch_fits_the_model_of_kubernetes() {
    var files =
        Kustomization.all().stream()
            .flatMap(folder -> Stream.concat(folder.objects().stream(), folder.patches().stream()))
            .toList();

    assertThat(files).hasSizeGreaterThan(10).allSatisfy(Manifests::read);
  }

  @Test
  void folders_name_what_is_there_and_all_of_it() {
    assertThat(Kustomization.all())
        .hasSizeGreaterThan(5)
        .allSatisfy(folder -> assertThat(folder.forgotten()).isEmpty())
        .allSatisfy(
            folder ->
                assertThat(folder.folders())
                    .allSatisfy(
                        other ->
                            assertThat(Files.exists(other.resolve("kustomization.yaml"))).isTrue()))
        .allSatisfy(folder -> assertThat(folder.patches()).allMatch(Files::isRegularFile));
  }

  @Test
  void patches_change_objects_that_exist() {
    var targets =
        Kustomization.all().stream()
            .flatMap(
                folder ->
                    Stream.concat(
                        folder.targets().stream(),
                        folder.patches().stream()
                            .flatMap(file -> Manifests.read(file).objects().stream())
                            .map(patch -> patch.getKind() + "/" + patch.getMetadata().getName())))
            .toList();

    assertThat(targets)
        .isNotEmpty()
        .isSubsetOf(
            base.objects().stream()
                .map(object -> object.getKind() + "/" + object.getMetadata().getName())
                .toList());
  }

  @Test
  void every_variable_is_one_that_the_service_reads() {
    var names = new HashSet<String>();
    Kustomization.all().forEach(folder -> names.addAll(folder.settings().keySet()));
    Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
        .flatMap(container -> container.getEnv().stream())
        .forEach(variable -> names.add(variable.getName()));

    assertThat(names)
        .contains("QUARKUS_REDIS_HOSTS", "QUARKUS_DATASOURCE_JDBC_URL", "FENCEPOST_ADMIN_PASSWORD")
        .allMatch(KNOWN::knows);
    assertThat(KNOWN.knows("QUARKUS_REDIS_HOST")).isFalse();
    assertThat(KNOWN.knows("FENCEPOST_REDIS_WAIT_REPLICA")).isFalse();
  }

  /** Told to a service that is built already, it would be passed over. */
  @Test
  void what_is_fixed_when_the_service_is_built_is_no_variable() {
    assertThat(KNOWN.knows("QUARKUS_HTTP_SSL_CLIENT_AUTH")).isFalse();
    assertThat(KNOWN.knows("QUARKUS_DATASOURCE_DB_KIND")).isFalse();
  }

  @Test
  void every_variable_that_a_document_names_is_one_that_the_service_reads() throws IOException {
    assertThat(namedInDocuments())
        .contains("QUARKUS_TLS_KEY_STORE_PEM_SERVER_CERT", "FENCEPOST_MQTT_TRUST")
        .allMatch(KNOWN::knows);
    assertThat(KNOWN.knows("QUARKUS_TLS_KEY_STORE_PEM_0_CERT")).isFalse();
    assertThat(KNOWN.knows("FENCEPOST_NOTIFY_CHANNELS_OPS_URL")).isTrue();
  }

  @Test
  void production_speaks_to_its_stores_as_the_manual_says() {
    assertThat(Kustomization.read(PRODUCTION).settings())
        .containsAllEntriesOf(Manual.environments("TLS").get(BLOCK_FOR_STORES));
  }

  @Test
  void secrets_are_named_and_never_written_down() {
    var secret = Set.of("PASSWORD", "SECRET", "TOKEN", "USERNAME");

    assertThat(Kustomization.all())
        .allSatisfy(
            folder ->
                assertThat(folder.settings().keySet())
                    .noneMatch(name -> secret.stream().anyMatch(name::contains)));
    assertThat(containers().flatMap(container -> container.getEnv().stream()))
        .filteredOn(variable -> secret.stream().anyMatch(variable.getName()::contains))
        .isNotEmpty()
        .allMatch(variable -> variable.getValue() == null)
        .allMatch(variable -> variable.getValueFrom().getSecretKeyRef() != null);
  }

  @Test
  void probes_ask_what_the_service_answers() {
    assertThat(service.getPorts())
        .singleElement()
        .satisfies(port -> assertThat(port.getName()).isEqualTo("http"))
        .satisfies(port -> assertThat(port.getContainerPort()).isEqualTo(HTTP_PORT));
    assertThat(path(service.getStartupProbe())).isEqualTo("/q/health/started");
    assertThat(path(service.getLivenessProbe())).isEqualTo("/q/health/live");
    assertThat(path(service.getReadinessProbe())).isEqualTo("/q/health/ready");
    assertThat(Stream.of(service.getStartupProbe(), service.getReadinessProbe()))
        .allMatch(probe -> probe.getHttpGet().getPort().getStrVal().equals("http"));
  }

  @Test
  void probes_have_more_patience_than_what_they_ask() {
    var start = service.getStartupProbe();

    assertThat(Duration.ofSeconds((long) start.getPeriodSeconds() * start.getFailureThreshold()))
        .isGreaterThan(StartUp.PATIENCE);
    assertThat(Duration.ofSeconds(service.getReadinessProbe().getTimeoutSeconds()))
        .isGreaterThan(Duration.parse("PT" + KNOWN.defaults().get("FENCEPOST_REDIS_TIMEOUT")));
  }

  @Test
  void a_pod_may_take_as_long_to_end_as_its_drain_takes() {
    var settings = Kustomization.read(BASE).settings();
    var grace = Duration.parse("PT" + settings.get("FENCEPOST_SHUTDOWN_GRACE"));
    var before = service.getLifecycle().getPreStop().getSleep().getSeconds();

    assertThat(before).isBetween(1L, 15L);
    assertThat(pod.getTerminationGracePeriodSeconds())
        .isGreaterThanOrEqualTo(before + grace.toSeconds() + 10);
  }

  @Test
  void one_migrates_before_the_service_starts_and_the_service_does_not() {
    var migrate = pod.getInitContainers().get(0);

    assertThat(value(migrate, "QUARKUS_INIT_AND_EXIT")).isEqualTo("true");
    assertThat(value(migrate, "QUARKUS_FLYWAY_MIGRATE_AT_START")).isEqualTo("true");
    assertThat(value(service, "QUARKUS_FLYWAY_MIGRATE_AT_START")).isEqualTo("false");
    assertThat(migrate.getImage()).isEqualTo(service.getImage());
    assertThat(migrate.getEnvFrom()).isEqualTo(service.getEnvFrom());
  }

  @Test
  void memory_is_bounded_and_processor_time_is_not() {
    assertThat(Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream()))
        .allSatisfy(
            container -> {
              var resources = container.getResources();
              assertThat(resources.getLimits()).containsOnlyKeys("memory");
              assertThat(resources.getRequests()).containsKeys("cpu", "memory");
              assertThat(resources.getLimits().get("memory"))
                  .isEqualTo(resources.getRequests().get("memory"));
              assertThat(Quantity.getAmountInBytes(resources.getLimits().get("memory")))
                  .isGreaterThanOrEqualTo(Quantity.getAmountInBytes(new Quantity("512Mi")));
            });
  }

  @Test
  void every_pod_is_confined() {
    assertThat(deployments())
        .hasSize(3)
        .allSatisfy(
            each -> {
              var spec = each.getSpec().getTemplate().getSpec();
              assertThat(spec.getAutomountServiceAccountToken()).isFalse();
              assertThat(spec.getSecurityContext().getRunAsNonRoot()).isTrue();
              assertThat(spec.getSecurityContext().getSeccompProfile().getType())
                  .isEqualTo("RuntimeDefault");
            });
    assertThat(containers())
        .allSatisfy(
            container -> {
              var security = container.getSecurityContext();
              assertThat(security.getAllowPrivilegeEscalation()).isFalse();
              assertThat(security.getReadOnlyRootFilesystem()).isTrue();
              assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
            });
    assertThat(base.one(ServiceAccount.class, "fencepost").getAutomountServiceAccountToken())
        .isFalse();
  }

  @Test
  void everything_that_selects_pods_selects_these() {
    var labels = deployment.getSpec().getTemplate().getMetadata().getLabels();

    assertThat(labels)
        .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels())
        .containsAllEntriesOf(base.one(Service.class, "fencepost").getSpec().getSelector())
        .containsAllEntriesOf(
            base.one(PodDisruptionBudget.class, "fencepost")
                .getSpec()
                .getSelector()
                .getMatchLabels());
    assertThat(pod.getTopologySpreadConstraints())
        .extracting("topologyKey")
        .containsExactly("kubernetes.io/hostname", "topology.kubernetes.io/zone");
    assertThat(base.one(HorizontalPodAutoscaler.class, "fencepost").getSpec().getScaleTargetRef())
        .satisfies(target -> assertThat(target.getKind()).isEqualTo("Deployment"))
        .satisfies(target -> assertThat(target.getName()).isEqualTo("fencepost"));
    assertThat(deployment.getSpec().getReplicas()).isNull();
  }

  @Test
  void every_mount_has_its_volume_and_every_writable_path_is_mounted() {
    var volumes = pod.getVolumes().stream().map(volume -> volume.getName()).toList();
    var settings = Kustomization.read(BASE).settings();

    assertThat(service.getVolumeMounts()).allMatch(mount -> volumes.contains(mount.getName()));
    assertThat(service.getVolumeMounts())
        .extracting("mountPath")
        .contains(
            "/tmp",
            settings.get("FENCEPOST_DATA_DIR"),
            settings.get("FENCEPOST_IDENTITY_KEYS_PATH"));
  }

  /** A folder that the service writes to would not outlive its pod, or not be writable at all. */
  @Test
  void every_folder_that_the_service_writes_to_is_a_mount_that_it_may_write_to() {
    var settings = new HashMap<String, String>();
    Kustomization.all().forEach(folder -> settings.putAll(folder.settings()));

    assertThat(KNOWN.folders()).isEqualTo(union(WRITTEN, ONLY_READ));
    assertThat(settings.keySet()).containsAll(WRITTEN);
    assertThat(mounts().filter(mount -> !TRUE.equals(mount.getReadOnly())))
        .extracting(VolumeMount::getMountPath)
        .containsAll(WRITTEN.stream().map(settings::get).toList());
  }

  @Test
  void what_is_to_outlive_a_pod_and_be_seen_by_all_lies_on_a_volume_of_its_own() {
    var archive = Kustomization.read(Path.of("k8s", "components", "audit-archive"));
    var folder = archive.settings().get("FENCEPOST_AUDIT_ARCHIVE_PATH");
    var patch = Manifests.read(archive.patches().get(0)).one(Deployment.class, "fencepost");
    var claims =
        archive.objects().stream()
            .flatMap(file -> Manifests.read(file).all(PersistentVolumeClaim.class).stream())
            .filter(claim -> claim.getSpec().getAccessModes().equals(List.of("ReadWriteMany")))
            .map(claim -> claim.getMetadata().getName())
            .toList();
    var mount =
        mountsOf(patch)
            .filter(each -> each.getMountPath().equals(folder))
            .findFirst()
            .orElseThrow();

    assertThat(archive.settings()).containsKey("FENCEPOST_AUDIT_RETENTION");
    assertThat(patch.getSpec().getTemplate().getSpec().getVolumes())
        .filteredOn(volume -> volume.getName().equals(mount.getName()))
        .singleElement()
        .satisfies(
            volume ->
                assertThat(claims).contains(volume.getPersistentVolumeClaim().getClaimName()));
  }

  /** Of the service, as it is and as components change it. */
  private Stream<VolumeMount> mounts() {
    return Stream.concat(
        service.getVolumeMounts().stream(),
        Kustomization.all().stream()
            .flatMap(folder -> folder.patches().stream())
            .flatMap(file -> Manifests.read(file).all(Deployment.class).stream())
            .flatMap(KubernetesTest::mountsOf));
  }

  private static Stream<VolumeMount> mountsOf(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().stream()
        .flatMap(container -> container.getVolumeMounts().stream());
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    var all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  private static Manifests baseObjects() {
    return new Manifests(
        Kustomization.read(BASE).objects().stream()
            .flatMap(file -> Manifests.read(file).objects().stream())
            .toList());
  }

  private static List<Deployment> deployments() {
    return Kustomization.all().stream()
        .flatMap(folder -> folder.objects().stream())
        .flatMap(file -> Manifests.read(file).all(Deployment.class).stream())
        .toList();
  }

  private static Stream<Container> containers() {
    return deployments().stream()
        .map(each -> each.getSpec().getTemplate().getSpec())
        .flatMap(
            spec ->
                Stream.concat(spec.getInitContainers().stream(), spec.getContainers().stream()));
  }

  private static Set<String> namedInDocuments() throws IOException {
    var names = new HashSet<String>();
    try (var files = Files.walk(Path.of("docs"))) {
      for (var file : Stream.concat(files, Stream.of(Path.of("README.md"))).toList()) {
        if (Files.isRegularFile(file)) {
          VARIABLE
              .matcher(Files.readString(file))
              .results()
              .forEach(name -> names.add(name.group()));
        }
      }
    }
    return names;
  }

  private static String path(Probe probe) {
    return probe.getHttpGet().getPath();
  }

  private static String value(Container container, String name) {
    return container.getEnv().stream()
        .filter(variable -> variable.getName().equals(name))
        .map(EnvVar::getValue)
        .findFirst()
        .orElseThrow();
  }
}
