package dev.fencepost.platform.mqtt;

import static io.netty.handler.codec.mqtt.MqttQoS.AT_LEAST_ONCE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.mqtt.MqttEndpoint;
import io.vertx.mqtt.MqttServer;
import io.vertx.mqtt.MqttServerOptions;
import io.vertx.mqtt.MqttTopicSubscription;
import io.vertx.mqtt.messages.MqttPublishMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A broker that keeps sessions, like a real one, and can be told to lose messages and
 * confirmations. What it keeps survives {@link #stop}.
 */
public final class BrokerForTests implements AutoCloseable {

  /** A message as it was published. */
  public record Published(String topic, String payload, int qos, boolean retained) {}

  private static final class Session {
    final Set<TopicFilter> filters = new LinkedHashSet<>();
    final Map<Integer, Published> unacknowledged = new LinkedHashMap<>();
    final List<Published> queue = new ArrayList<>();
    @Nullable MqttEndpoint endpoint;
  }

  private final int port;
  private final Vertx vertx = Vertx.vertx();
  private final Map<String, Session> sessions = new LinkedHashMap<>();
  private final List<Published> published = new ArrayList<>();
  private Predicate<Published> lost = message -> false;
  private boolean confirms = true;
  private @Nullable MqttServer server;

  public BrokerForTests(int port) {
    this.port = port;
  }

  public synchronized void start() {
    var next = MqttServer.create(vertx, new MqttServerOptions().setHost("127.0.0.1").setPort(port));
    next.endpointHandler(this::welcome).exceptionHandler(broken -> {});
    await(next.listen());
    server = next;
  }

  /** Everybody is thrown out; sessions stay. */
  public void stop() {
    MqttServer stopped;
    synchronized (this) {
      stopped = server;
      server = null;
    }
    if (stopped != null) {
      await(stopped.close());
    }
  }

  /** From now on these are confirmed to their sender, and go nowhere. */
  public synchronized void lose(Predicate<Published> messages) {
    lost = messages;
  }

  /** Whether senders hear that their message is here. */
  public synchronized void confirm(boolean confirming) {
    confirms = confirming;
  }

  public synchronized List<Published> published(String topic) {
    return published.stream().filter(message -> message.topic.equals(topic)).toList();
  }

  public synchronized boolean isConnected(String clientId) {
    var session = sessions.get(clientId);
    return session != null && session.endpoint != null;
  }

  /** What a client was sent and has not acknowledged, and what waits for it. */
  public synchronized int owedTo(String clientId) {
    var session = sessions.get(clientId);
    return session == null ? 0 : session.unacknowledged.size() + session.queue.size();
  }

  private synchronized void welcome(MqttEndpoint endpoint) {
    var id = endpoint.clientIdentifier();
    var kept = sessions.containsKey(id) && !endpoint.isCleanSession();
    var session = kept ? sessions.get(id) : new Session();
    if (session.endpoint != null) {
      session.endpoint.close();
    }
    session.endpoint = endpoint;
    sessions.put(id, session);
    endpoint.closeHandler(gone -> forget(session, endpoint));
    endpoint.subscribeHandler(
        asked -> {
          subscribe(session, asked.topicSubscriptions());
          endpoint.subscribeAcknowledge(
              asked.messageId(),
              asked.topicSubscriptions().stream().map(s -> s.qualityOfService()).toList());
        });
    endpoint.publishHandler(message -> take(endpoint, message));
    endpoint.publishAcknowledgeHandler(confirmed -> acknowledged(session, confirmed));
    endpoint.accept(kept);
    var again = new ArrayList<>(session.unacknowledged.values());
    again.addAll(session.queue);
    session.unacknowledged.clear();
    session.queue.clear();
    again.forEach(message -> hand(session, message));
  }

  private synchronized void forget(Session session, MqttEndpoint gone) {
    if (session.endpoint == gone) {
      session.endpoint = null;
    }
  }

  private synchronized void subscribe(Session session, List<MqttTopicSubscription> wanted) {
    wanted.forEach(topic -> session.filters.add(new TopicFilter(topic.topicName())));
  }

  private synchronized void acknowledged(Session session, int messageId) {
    session.unacknowledged.remove(messageId);
  }

  private synchronized void take(MqttEndpoint from, MqttPublishMessage message) {
    var taken =
        new Published(
            message.topicName(),
            message.payload().toString(UTF_8),
            message.qosLevel().value(),
            message.isRetain());
    published.add(taken);
    if (message.qosLevel() == AT_LEAST_ONCE && confirms) {
      from.publishAcknowledge(message.messageId());
    }
    if (!lost.test(taken)) {
      sessions.values().stream()
          .filter(to -> to.filters.stream().anyMatch(f -> f.match(taken.topic).isPresent()))
          .forEach(to -> hand(to, taken));
    }
  }

  private synchronized void hand(Session to, Published message) {
    var endpoint = to.endpoint;
    if (endpoint == null || !endpoint.isConnected()) {
      to.queue.add(message);
      return;
    }
    endpoint
        .publish(message.topic, Buffer.buffer(message.payload), AT_LEAST_ONCE, false, false)
        .onSuccess(id -> owe(to, id, message));
  }

  private synchronized void owe(Session to, int messageId, Published message) {
    to.unacknowledged.put(messageId, message);
  }

  private static <T> T await(io.vertx.core.Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    stop();
    await(vertx.close());
  }
}
