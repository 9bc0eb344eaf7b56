package dev.fencepost.chaos;

import static io.netty.handler.codec.mqtt.MqttQoS.AT_LEAST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.mqtt.MqttClient;
import io.vertx.mqtt.MqttClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a device may say by mistake, or on purpose, through a real broker. */
class MosquittoNonsenseIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DEVICES = "fencepost/v1/devices/";
  private static final int LONG = 100 * 1024;
  private static final int VERY_LONG = 5 * 1024 * 1024;
  private static final int TOO_LONG = 20 * 1024 * 1024;

  private static final List<Buffer> NONSENSE =
      List.of(
          Buffer.buffer(),
          Buffer.buffer("null"),
          Buffer.buffer("{"),
          Buffer.buffer("[]"),
          Buffer.buffer("\"\""),
          Buffer.buffer("7"),
          Buffer.buffer("\u0000"),
          Buffer.buffer(new byte[] {(byte) 0xff, (byte) 0xfe}),
          Buffer.buffer("{\"success\": null, \"session_id\": null}"),
          Buffer.buffer("{\"success\": \"perhaps\", \"session_id\": [1]}"),
          Buffer.buffer("[".repeat(50_000)),
          Buffer.buffer(new byte[LONG]),
          Buffer.buffer(new byte[VERY_LONG]));

  @Test
  void nonsense_is_counted_as_refused_and_what_follows_it_is_heard() {
    try (var broker = Mosquitto.open();
        var arena = Arena.with(settings(broker), "mosquitto-nonsense", "a");
        var device = new Client(broker)) {
      var service = arena.replicas().get(0);
      Patience.until("it is connected", PATIENCE, () -> isConnected(service));
      var id = stopped(service, "babbler");

      var refused = 0;
      for (var nonsense : NONSENSE) {
        device.publish(DEVICES + "babbler/heartbeat", nonsense);
        device.publish(DEVICES + "babbler/commands/" + id + "/applied", nonsense);
        device.publish(DEVICES + "babbler/commands/c0-none/acked", nonsense);
        refused += 3;
      }
      for (var topic :
          List.of(
              "-/heartbeat", "ü/heartbeat", "-/commands/" + id + "/acked", "x/commands//acked")) {
        device.publish(DEVICES + topic, Buffer.buffer("{\"session_id\": \"s\"}"));
        refused++;
      }
      for (var topic :
          List.of("babbler/commands/" + id + "/eaten", "babbler", "babbler/heartbeat/x")) {
        device.publish(DEVICES + topic, Buffer.buffer("{}"));
      }
      device.publish(
          DEVICES + "babbler/commands/" + id + "/applied",
          Buffer.buffer("{\"success\": false, \"detail\": \"busy\"}"));

      awaitStatus(service, id, "failed");
      assertThat(Scrape.of(service, "fencepost_mqtt_messages_total", "outcome=\"refused\""))
          .isEqualTo(refused);
      assertThat(Scrape.of(service, "fencepost_mqtt_messages_total", "outcome=\"unreadable\""))
          .isZero();
      assertThat(Scrape.of(service, "fencepost_mqtt_connections_lost_total")).isZero();
    }
  }

  @Test
  void what_is_too_long_to_be_passed_over_costs_one_connection() {
    try (var broker = Mosquitto.open();
        var arena = Arena.with(settings(broker), "mosquitto-too-long", "a");
        var device = new Client(broker)) {
      var service = arena.replicas().get(0);
      Patience.until("it is connected", PATIENCE, () -> isConnected(service));
      var id = stopped(service, "shouter");

      device.publish(DEVICES + "shouter/heartbeat", Buffer.buffer(new byte[TOO_LONG]));
      Patience.until(
          "it has fled",
          PATIENCE,
          () -> Scrape.of(service, "fencepost_mqtt_connections_lost_total") > 0);
      Patience.until("it is back", PATIENCE, () -> isConnected(service));
      device.publish(
          DEVICES + "shouter/commands/" + id + "/applied", Buffer.buffer("{\"success\": true}"));

      awaitStatus(service, id, "applied");
      assertThat(Scrape.of(service, "fencepost_mqtt_connections_lost_total")).isEqualTo(1);
    }
  }

  private static String stopped(ServiceProcess service, String device) {
    var path = "/v1/devices/" + device + "/live";
    Device.post(service, path, "{\"session_id\": \"s\"}");
    var answer = Device.post(service, path + "/stop", "").body();
    var id = Pattern.compile("\"command_id\":\"([^\"]+)\"").matcher(answer);
    assertThat(id.find()).as(answer).isTrue();
    return id.group(1);
  }

  private static void awaitStatus(ServiceProcess service, String id, String status) {
    Patience.until(
        id + " is " + status,
        PATIENCE,
        () -> Device.get(service, "/v1/commands/" + id).contains("\"status\":\"" + status + "\""));
  }

  private static boolean isConnected(ServiceProcess service) {
    return Scrape.of(service, "fencepost_mqtt_connected") == 1;
  }

  private static Map<String, String> settings(Mosquitto broker) {
    return Map.of(
        "fencepost.mqtt.url", broker.url(),
        "fencepost.mqtt.reconnect", "200ms",
        "fencepost.live.heartbeat-timeout", "10m");
  }

  /** A device that says what it is told to. */
  private static final class Client implements AutoCloseable {

    /** More than it ever says: nothing waits for the broker's word. */
    private static final int MOST = 200;

    private final Vertx vertx = Vertx.vertx();
    private final MqttClient client =
        MqttClient.create(
            vertx, new MqttClientOptions().setClientId("babbler").setMaxInflightQueue(MOST));

    Client(Mosquitto broker) {
      await(client.connect(broker.port(), "127.0.0.1"));
    }

    void publish(String topic, Buffer payload) {
      await(client.publish(topic, payload, AT_LEAST_ONCE, false, false));
    }

    private static void await(Future<?> done) {
      try {
        done.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      await(client.disconnect());
      await(vertx.close());
    }
  }
}
