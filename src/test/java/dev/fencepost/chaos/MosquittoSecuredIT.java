package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A real broker with TLS, passwords, and a list of who may publish where. */
class MosquittoSecuredIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SECRET = "s3cret-of-the-service";
  private static final String DEVICES_SECRET = "s3cret-of-the-device";
  private static final String LOST = "fencepost_mqtt_connections_lost_total";

  /** As docs/live.md has it. */
  private static final String RIGHTS =
      """
      user fencepost
      topic readwrite fencepost/v1/#

      pattern readwrite fencepost/v1/devices/%u/#
      """;

  @Test
  void a_broker_that_is_not_trusted_or_does_not_let_us_in_is_seen_and_harms_nothing_else()
      throws IOException {
    try (var broker = Mosquitto.notStarted()) {
      var ours = new Authority("ours", broker.folder());
      var another = new Authority("another", broker.folder());
      var rights = Files.writeString(broker.folder().resolve("rights"), RIGHTS);
      var shown = ours.broker();
      var right = Map.of("fencepost", SECRET, "cam-tls", DEVICES_SECRET);
      var wrong = Map.of("fencepost", "another", "cam-tls", DEVICES_SECRET);
      try (var arena = Arena.with(settings(broker, ours), "mosquitto-tls", "a")) {
        var service = arena.replicas().get(0);
        var begin = log(service).length();

        broker.start(another.broker() + broker.passwords(right));
        assertSeenAndHarmless(service, "cam-untrusted");
        assertThat(log(service).substring(begin)).contains("PKIX path");

        broker.kill();
        broker.start(shown + broker.passwords(wrong));
        assertSeenAndHarmless(service, "cam-refused");
        assertThat(log(service).substring(begin)).contains("NOT_AUTHORIZED");

        broker.kill();
        broker.start(shown + broker.passwords(right) + "acl_file " + rights);
        Patience.until("it comes back by itself", PATIENCE, () -> isConnected(service));
        var trust = ours.certificate().toString();
        try (var device =
            new ReferenceDevice(
                "cam-tls",
                service,
                url(broker),
                broker.folder(),
                "--mqtt-user",
                "cam-tls",
                "--mqtt-password",
                DEVICES_SECRET,
                "--mqtt-trust",
                trust)) {
          device.stopThrough(service);
          device.awaitOneApplication(service);
        }
        assertThat(log(service).substring(begin)).doesNotContain(SECRET);
      }
    }
  }

  /** Attempts go on and are counted; requests and readiness are what they were. */
  private static void assertSeenAndHarmless(ServiceProcess service, String camera) {
    var lost = Scrape.of(service, LOST);
    Patience.until("it tries and fails", PATIENCE, () -> Scrape.of(service, LOST) >= lost + 2);
    assertThat(isConnected(service)).isFalse();
    assertThat(service.isReady()).isTrue();
    var path = "/v1/devices/" + camera + "/live";
    assertThat(Device.post(service, path, "{\"session_id\": \"s\"}").statusCode()).isEqualTo(201);
    assertThat(Device.post(service, path + "/stop", "").body()).contains("\"result\":\"accepted\"");
    assertThat(Device.get(service, "/v1/devices/" + camera + "/commands"))
        .contains("\"status\":\"pending\"");
  }

  private static boolean isConnected(ServiceProcess service) {
    return Scrape.of(service, "fencepost_mqtt_connected") == 1;
  }

  private static Map<String, String> settings(Mosquitto broker, Authority authority) {
    return Map.of(
        "fencepost.mqtt.url", url(broker),
        "fencepost.mqtt.username", "fencepost",
        "fencepost.mqtt.password", SECRET,
        "fencepost.mqtt.trust", authority.certificate().toAbsolutePath().toString(),
        "fencepost.mqtt.reconnect", "200ms",
        "fencepost.mqtt.longest-reconnect", "1s",
        "fencepost.live.heartbeat-timeout", "10m",
        "fencepost.command.ack-timeout", "1s");
  }

  private static String url(Mosquitto broker) {
    return "mqtts://127.0.0.1:" + broker.port();
  }

  private static String log(ServiceProcess service) {
    try {
      return Files.readString(service.log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
