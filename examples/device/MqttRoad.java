import com.fasterxml.jackson.databind.JsonNode;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.mqtt.MqttClient;
import io.vertx.mqtt.MqttClientOptions;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The topics of one device at a broker, which keeps its commands while the device is away. */
class MqttRoad implements Road {

  /** What the client would log, the device says itself. Held, or the setting would be forgotten. */
  private static final Logger CLIENT_LOG = Logger.getLogger("io.vertx.mqtt");

  private static final long FIRST_PAUSE_MS = 250;
  private static final long LONGEST_PAUSE_MS = 10_000;
  private static final int PUBACK_SECONDS = 10;

  private final Options options;
  private final Consumer<String> say;
  private final String topics;
  private final Vertx vertx = Vertx.vertx();

  /** Everything is sent on the thread that hears of confirmations, or one could come too early. */
  private final Context loop = vertx.getOrCreateContext();

  private final Map<Integer, CompletableFuture<Void>> unconfirmed = new ConcurrentHashMap<>();
  private volatile MqttClient client;
  private volatile boolean closed;
  private long pause = FIRST_PAUSE_MS;

  MqttRoad(Options options, Consumer<String> say) {
    this.options = options;
    this.say = say;
    CLIENT_LOG.setLevel(Level.OFF);
    this.topics = "fencepost/v1/devices/" + options.id;
  }

  @Override
  public void follow(Consumer<JsonNode> commands) {
    loop.runOnContext(now -> connect(commands));
  }

  private void connect(Consumer<JsonNode> commands) {
    var broker = URI.create(options.mqtt);
    var tls = "mqtts".equals(broker.getScheme());
    var settings = new MqttClientOptions();
    settings.setClientId("fencepost-device-" + options.id).setCleanSession(false);
    settings.setKeepAliveInterval(10).setConnectTimeout(5_000);
    settings.setSsl(tls).setHostnameVerificationAlgorithm(tls ? "HTTPS" : "");
    if (!options.mqttTrust.isEmpty()) {
      settings.setTrustOptions(new PemTrustOptions().addCertPath(options.mqttTrust));
    }
    if (!options.mqttUser.isEmpty()) {
      settings.setUsername(options.mqttUser).setPassword(options.mqttPassword);
    }
    var next = MqttClient.create(vertx, settings);
    next.publishHandler(message -> command(message.payload(), commands));
    next.publishCompletionHandler(this::confirmed);
    next.closeHandler(gone -> comeBack(next, "lost its broker", commands));
    client = next;
    var port = broker.getPort() > 0 ? broker.getPort() : tls ? 8883 : 1883;
    next.connect(port, broker.getHost())
        .compose(taken -> next.subscribe(topics + "/commands", MqttQoS.AT_LEAST_ONCE.value()))
        .onSuccess(
            done -> {
              pause = FIRST_PAUSE_MS;
              say.accept("listens at the broker on " + topics + "/commands");
            })
        .onFailure(no -> comeBack(next, "has no broker: " + no.getMessage(), commands));
  }

  private void comeBack(MqttClient from, String why, Consumer<JsonNode> commands) {
    if (closed || client != from) {
      return;
    }
    client = null;
    say.accept(why);
    unconfirmed.values().forEach(report -> report.completeExceptionally(new IOException(why)));
    unconfirmed.clear();
    vertx.setTimer(
        pause / 2 + ThreadLocalRandom.current().nextLong(pause), now -> connect(commands));
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  private void command(Buffer payload, Consumer<JsonNode> commands) {
    try {
      commands.accept(Service.JSON.readTree(payload.getBytes()));
    } catch (IOException e) {
      say.accept("cannot read what it was sent: " + e.getMessage());
    }
  }

  /** The broker does not answer for the service: a heartbeat of a session that is over is not told. */
  @Override
  public boolean heartbeat(String sessionId) throws IOException {
    var body = Service.JSON.createObjectNode().put("session_id", sessionId);
    publish(topics + "/heartbeat", body.toString());
    return true;
  }

  @Override
  public void acked(String commandId) throws IOException {
    publish(topics + "/commands/" + commandId + "/acked", "{}");
  }

  @Override
  public void applied(String commandId, boolean success, String detail) throws IOException {
    var body = Service.JSON.createObjectNode().put("success", success).put("detail", detail);
    publish(topics + "/commands/" + commandId + "/applied", body.toString());
  }

  /** Returns when the broker has the message, which says nothing about the service. */
  private void publish(String topic, String body) throws IOException {
    var to = client;
    if (to == null || !to.isConnected()) {
      throw new IOException("no broker");
    }
    var confirmation = new CompletableFuture<Void>();
    loop.runOnContext(now -> publish(to, topic, body, confirmation));
    try {
      confirmation.get(PUBACK_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the broker did not take it", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void publish(MqttClient to, String topic, String body, CompletableFuture<Void> confirmation) {
    if (to != client || !to.isConnected()) {
      confirmation.completeExceptionally(new IOException("no broker"));
      return;
    }
    to.publish(topic, Buffer.buffer(body), MqttQoS.AT_LEAST_ONCE, false, false)
        .onSuccess(id -> unconfirmed.put(id, confirmation))
        .onFailure(confirmation::completeExceptionally);
  }

  private void confirmed(int id) {
    var waiting = unconfirmed.remove(id);
    if (waiting != null) {
      waiting.complete(null);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (client != null && client.isConnected()) {
      client.disconnect();
    }
    vertx.close();
  }
}
