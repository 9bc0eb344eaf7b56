package dev.fencepost.command;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.LogLines;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.mqtt.BrokerForTests;
import dev.fencepost.platform.mqtt.MqttLink;
import dev.fencepost.platform.redis.WatchedRoad;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.mqtt.MqttClient;
import io.vertx.mqtt.MqttClientOptions;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices behind a broker that loses messages and confirmations, goes away and comes back. */
@QuarkusTest
@TestProfile(MqttTest.WithBroker.class)
class MqttTest {

  /** The service looks for its broker on a port on which nobody listens yet. */
  public static final class WithBroker implements QuarkusTestProfile {

    private static final String PORT = "dev.fencepost.mqtt-port-for-tests";

    @Override
    public Map<String, String> getConfigOverrides() {
      System.setProperty(PORT, Integer.toString(freePort()));
      return Map.of(
          "fencepost.mqtt.url", "mqtt://127.0.0.1:" + port(),
          "fencepost.mqtt.client-id", SERVICE,
          "fencepost.mqtt.reconnect", "100ms",
          "fencepost.mqtt.longest-reconnect", "500ms",
          "fencepost.command.ack-timeout", "1s");
    }

    static int port() {
      return Integer.getInteger(PORT);
    }

    private static int freePort() {
      try (var socket = new ServerSocket(0)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final String SERVICE = "fencepost-under-test";
  private static final int PATIENCE_SECONDS = 30;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Inject MqttLink link;
  @Inject WatchedRoad road;
  @Inject Lanes lanes;
  @Inject MeterRegistry metrics;

  private final String device = "mq-" + UUID.randomUUID();
  private final String topics = "fencepost/v1/devices/" + device;
  private final BrokerForTests broker = new BrokerForTests(WithBroker.port());
  private final Vertx vertx = Vertx.vertx();

  /** The client counts what is unconfirmed; on several threads it would miscount. */
  private final Context loop = vertx.getOrCreateContext();

  private final List<JsonNode> heard = new CopyOnWriteArrayList<>();
  private MqttClient client;

  @BeforeEach
  void connect() {
    broker.start();
    until(() -> link.isConnected());
    listen();
  }

  @AfterEach
  void disconnect() {
    broker.close();
    vertx.close();
    until(() -> !link.isConnected());
  }

  @Test
  void a_command_is_published_to_its_device_and_ends_with_its_report() {
    var id = stopped("s");
    until(() -> !heard.isEmpty());
    assertThat(heard.get(0).at("/command_id").asText()).isEqualTo(id);
    assertThat(heard.get(0).at("/type").asText()).isEqualTo("stop_stream");
    assertThat(heard.get(0).at("/session_id").asText()).isEqualTo("s");
    assertThat(broker.published(topics + "/commands"))
        .allMatch(message -> message.qos() == 1 && !message.retained());
    report(id, "acked", "");
    until(() -> status(id).equals("acked"));
    report(id, "applied", "{\"success\": true, \"detail\": \"done\", \"temperature\": 40}");
    until(() -> status(id).equals("applied"));
    command(id).body("detail", equalTo("done"));
    given()
        .get("/v1/devices/" + device + "/live")
        .then()
        .body("status", equalTo("stopped"))
        .body("confirmation", equalTo("applied"));
    until(() -> broker.owedTo(SERVICE) == 0);
  }

  @Test
  void a_device_that_was_heard_at_the_broker_is_told_at_once() {
    start("s");
    heartbeat("s");
    until(() -> road.tripsFor(keys -> keys.contains(device)).contains("live/heartbeat"));
    var before = System.nanoTime();
    stop();
    until(() -> !heard.isEmpty());
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    publish(topics + "/heartbeat", "{\"session_id\": \"s\"}");
    until(() -> broker.owedTo(SERVICE) == 0);
  }

  @Test
  void the_brokers_word_proves_nothing_and_the_same_command_comes_again() {
    broker.lose(message -> message.topic().equals(topics + "/commands"));
    var id = stopped("s");
    until(() -> broker.published(topics + "/commands").size() >= 2);
    assertThat(status(id)).isEqualTo("sent");
    assertThat(heard).isEmpty();
    broker.lose(message -> false);
    until(() -> !heard.isEmpty());
    assertThat(ids()).containsExactly(id);
  }

  @Test
  void a_broker_that_confirms_nothing_holds_nothing_up() {
    broker.confirm(false);
    var id = stopped("s");
    until(() -> heard.size() >= 2);
    assertThat(ids()).containsExactly(id);
  }

  @Test
  void a_command_outlives_the_broker_and_has_one_id() {
    var id = stopped("s");
    until(() -> !heard.isEmpty());
    broker.stop();
    until(() -> !link.isConnected());
    given().get("/q/health/ready").then().statusCode(200);
    broker.start();
    listen();
    until(() -> heard.size() >= 2);
    report(id, "applied", "{\"success\": true}");
    report(id, "applied", "{\"success\": true}");
    until(() -> status(id).equals("applied"));
    assertThat(ids()).containsExactly(id);
  }

  @Test
  void a_stop_without_a_broker_waits_for_one() {
    broker.stop();
    until(() -> !link.isConnected());
    var id = stopped("s");
    command(id).body("status", equalTo("pending"));
    broker.start();
    listen();
    until(() -> ids().contains(id));
  }

  @Test
  void what_is_recorded_is_acknowledged_and_nothing_else() {
    var id = stopped("s");
    until(() -> !heard.isEmpty());
    var away = new AtomicBoolean(true);
    loseWhile(away, keys -> keys.contains(id) && keys.contains("acked"));
    report(id, "acked", "{}");
    until(() -> attempts(id) >= 2);
    assertThat(broker.owedTo(SERVICE)).as("unrecorded, unacknowledged").isEqualTo(1);
    assertThat(status(id)).isEqualTo("sent");
    away.set(false);
    until(() -> status(id).equals("acked"));
    until(() -> broker.owedTo(SERVICE) == 0);
  }

  private void loseWhile(AtomicBoolean away, Predicate<String> about) {
    road.lose(
        1,
        WatchedRoad.Fault.REQUEST_LOST,
        keys -> {
          var lost = away.get() && about.test(keys);
          if (lost) {
            loseWhile(away, about);
          }
          return lost;
        });
  }

  private long attempts(String id) {
    return road.tripsFor(keys -> keys.contains(id)).stream()
        .filter("command/report"::equals)
        .count();
  }

  @Test
  void another_devices_word_on_a_command_is_an_event_and_nothing_more() {
    var id = stopped("s");
    publish("fencepost/v1/devices/thief/commands/" + id + "/applied", "{\"success\": true}");
    until(() -> events("ACCESS_DENIED", id) > 0);
    assertThat(events("ACCESS_DENIED", id)).isEqualTo(1);
    until(() -> broker.owedTo(SERVICE) == 0);
    assertThat(status(id)).isIn("pending", "sent");
  }

  /** Among it an empty payload; what is longer than a broker allows, a real one must show. */
  @Test
  void nonsense_is_counted_and_passed_over_and_stops_nobody() {
    var before = refused();
    var id = stopped("s");
    var some = List.of("", "null", "{", "[]", "\"\"", "{\"success\": null}", "\u0000");
    for (var nonsense : some) {
      report(id, "applied", nonsense);
      report("c0-none", "acked", nonsense);
      publish(topics + "/heartbeat", nonsense);
    }
    publish("fencepost/v1/devices/-/heartbeat", "{\"session_id\": \"s\"}");
    publish(topics + "/heartbeat", "{\"session_id\": \"\\u0000 x\"}");
    until(() -> broker.owedTo(SERVICE) == 0);
    assertThat(refused() - before).isEqualTo(3 * some.size() + 2);
    assertThat(status(id)).isIn("pending", "sent");
    report(id, "applied", "{\"success\": false, \"detail\": \"busy\"}");
    until(() -> status(id).equals("failed"));
  }

  @Test
  void a_message_that_is_refused_is_a_line_about_its_device() {
    var before = refused();
    try (var lines = LogLines.of("dev.fencepost.platform.mqtt")) {
      publish(topics + "/heartbeat", "nonsense");
      publish(topics + "/commands/c0-none/acked", "{}");
      until(() -> refused() - before == 2);

      var facts = Map.of("device_id", device, "lane", Integer.toString(lanes.of(device).number()));
      assertThat(lines.with(topics + "/heartbeat refused").facts()).isEqualTo(facts);
      assertThat(lines.with("/acked refused").facts()).isEqualTo(facts);
    }
  }

  private double refused() {
    return metrics.counter("fencepost.mqtt.messages", "outcome", "refused").count();
  }

  @Test
  void who_goes_on_after_the_end_of_its_session_is_told_again() {
    broker.lose(message -> message.topic().equals(topics + "/commands"));
    var id = stopped("s");
    until(() -> sends(id) == 1);
    broker.lose(message -> false);
    heartbeat("s");
    until(() -> ids().contains(id));
  }

  @Test
  void heartbeats_count() {
    start("s");
    var before = lastHeartbeat();
    heartbeat("s");
    until(() -> !lastHeartbeat().equals(before));
  }

  private void listen() {
    client =
        MqttClient.create(
            vertx,
            new MqttClientOptions()
                .setClientId(device)
                .setCleanSession(false)
                .setMaxInflightQueue(100));
    client.publishHandler(message -> hear(message.payload()));
    var listening = Promise.<Integer>promise();
    loop.runOnContext(
        now ->
            client
                .connect(WithBroker.port(), "127.0.0.1")
                .compose(taken -> client.subscribe(topics + "/commands", 1))
                .onComplete(listening));
    await(listening.future());
  }

  private void hear(Buffer payload) {
    try {
      heard.add(JSON.readTree(payload.toString(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HashSet<String> ids() {
    var ids = new HashSet<String>();
    heard.forEach(command -> ids.add(command.at("/command_id").asText()));
    return ids;
  }

  private void heartbeat(String session) {
    publish(topics + "/heartbeat", "{\"session_id\": \"" + session + "\"}");
  }

  private void report(String id, String what, String payload) {
    publish(topics + "/commands/" + id + "/" + what, payload);
  }

  private void publish(String topic, String payload) {
    var written = Promise.<Integer>promise();
    loop.runOnContext(
        now ->
            client
                .publish(topic, Buffer.buffer(payload), MqttQoS.AT_LEAST_ONCE, false, false)
                .onComplete(written));
    await(written.future());
  }

  private String stopped(String session) {
    start(session);
    return stop();
  }

  private void start(String session) {
    given()
        .body("{\"session_id\": \"" + session + "\"}")
        .post("/v1/devices/" + device + "/live")
        .then()
        .statusCode(201);
  }

  private String stop() {
    return given()
        .post("/v1/devices/" + device + "/live/stop")
        .then()
        .body("result", equalTo("accepted"))
        .extract()
        .path("command_id");
  }

  private String lastHeartbeat() {
    return given().get("/v1/devices/" + device + "/live").path("last_heartbeat_at");
  }

  private static String status(String id) {
    return command(id).extract().path("status");
  }

  private static int sends(String id) {
    return command(id).extract().path("sends");
  }

  private static ValidatableResponse command(String id) {
    return given().get("/v1/commands/" + id).then().statusCode(200);
  }

  private long events(String action, String about) {
    var range =
        Request.cmd(io.vertx.redis.client.Command.XRANGE)
            .arg("audit:{%d}:events".formatted(lanes.of(about).number()))
            .arg("-")
            .arg("+");
    return road.send(range).await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).stream()
        .map(entry -> entry.get(1).toString())
        .filter(fields -> fields.contains(action) && fields.contains(about))
        .count();
  }

  private static <T> T await(io.vertx.core.Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void until(BooleanSupplier condition) {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
