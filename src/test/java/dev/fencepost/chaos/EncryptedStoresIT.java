package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import dev.fencepost.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The packaged service in the environment that the manual gives it for stores that speak TLS, on a
 * Redis and a PostgreSQL that speak nothing else. Both show a certificate for {@code localhost},
 * and for no address.
 */
class EncryptedStoresIT {

  private static final Path DIRECTORY = Path.of("target", "chaos", "encrypted-stores");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int BLOCK_FOR_STORES = 2;
  private static final String CA = "/etc/fencepost/stores-ca/ca.crt";
  private static final String REACTIVE = "QUARKUS_DATASOURCE_REACTIVE_URL";
  private static final String WRONG_AUTHORITY = "PKIX path";

  private static Path folder;
  private static Authority ours;
  private static ChaosPostgres postgres;
  private static ChaosRedis redis;
  private static int redisPort;

  @BeforeAll
  static void stores_speak_tls() throws IOException {
    Files.createDirectories(DIRECTORY);
    folder = Files.createTempDirectory(DIRECTORY, "run-").toAbsolutePath();
    ours = new Authority("ours", folder);
    var shown = ours.issue("stores", "dns:localhost");
    postgres = new ChaosPostgres("encrypted");
    postgres.speakOnlyTls(shown.certificate(), shown.key());
    redisPort = ChaosRedis.freePort();
    redis =
        new ChaosRedis(
            postgres.redisProgram(),
            folder.resolve("redis"),
            List.of(
                "--tls-port",
                Integer.toString(redisPort),
                "--tls-cert-file",
                shown.certificate().toString(),
                "--tls-key-file",
                shown.key().toString(),
                "--tls-auth-clients",
                "no"));
  }

  @AfterAll
  static void stores_end() {
    redis.close();
    postgres.close();
  }

  @Test
  void it_works_on_stores_that_are_who_they_should_be() {
    try (var service = started("works", environment(ours))) {
      service.awaitReady();

      assertThat(service.get("/q/health/ready").body()).contains("\"state\": \"available\"");
      assertThat(service.get("/v1/assets").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "QUARKUS_REDIS_HOSTS, No subject alternative names matching IP address",
    "QUARKUS_DATASOURCE_JDBC_URL, hostname 127.0.0.1 could not be verified"
  })
  void it_does_not_start_on_a_store_with_a_certificate_for_another_name(
      String client, String reason) {
    try (var service = started("name-" + client, misled(client))) {
      Patience.until("it refuses, see " + service.log(), PATIENCE, () -> says(service, reason));

      assertThat(isReady(service)).isFalse();
    }
  }

  /** JDBC is for the schema; what the service then asks PostgreSQL goes by a client of its own. */
  @Test
  void it_asks_nothing_of_a_postgresql_with_a_certificate_for_another_name() {
    try (var service = started("name-" + REACTIVE, misled(REACTIVE))) {
      Patience.until("it gives up, see " + service.log(), PATIENCE, () -> !service.isAlive());

      assertThat(says(service, "the store of users does not answer")).isTrue();
    }
  }

  @Test
  void it_does_not_start_on_stores_with_a_certificate_of_another_authority() {
    var another = new Authority("another", folder);

    try (var service = started("authority", environment(another))) {
      Patience.until(
          "it refuses, see " + service.log(), PATIENCE, () -> says(service, WRONG_AUTHORITY));

      assertThat(isReady(service)).isFalse();
    }
  }

  /** As the manual has it, with these stores for those that it speaks of. */
  private static Map<String, String> environment(Authority trusted) {
    return Manual.merged(
        List.of(Manual.environments("TLS").get(BLOCK_FOR_STORES)),
        Map.of(
            CA,
            trusted.certificate().toString(),
            "redis.example.internal:6379",
            "localhost:" + redisPort,
            "postgres.example.internal:5432",
            "localhost:" + postgres.proxyPort()));
  }

  /** One client comes by an address that is not in the certificate. */
  private static Map<String, String> misled(String client) {
    var environment = environment(ours);
    environment.computeIfPresent(
        client, (name, value) -> value.replace("localhost:", "127.0.0.1:"));
    assertThat(environment.get(client)).contains("127.0.0.1");
    return environment;
  }

  private static ServiceProcess started(String name, Map<String, String> environment) {
    var settings = new HashMap<>(postgres.settings());
    settings.keySet().removeIf(setting -> setting.endsWith(".url"));
    settings.put("quarkus.redis.password", ChaosRedis.PASSWORD);
    settings.put("fencepost.data-dir", folder.resolve("data-" + name).toString());
    settings.put("fencepost.identity.keys.path", SharedKey.folder(folder).toString());
    settings.put("fencepost.admin.password", LoggedIn.ADMIN_PASSWORD);
    return new ServiceProcess(
        name, Path.of("target", "quarkus-app"), folder, settings, environment);
  }

  private static boolean says(ServiceProcess service, String words) {
    try {
      return Files.readString(service.log()).contains(words);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isReady(ServiceProcess service) {
    return service.isAlive() && service.isReady();
  }
}
