package dev.fencepost.platform.mqtt;

import static io.netty.handler.codec.mqtt.MqttQoS.AT_LEAST_ONCE;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.mqtt.MqttClient;
import io.vertx.mqtt.MqttClientOptions;
import io.vertx.mqtt.messages.MqttConnAckMessage;
import io.vertx.mqtt.messages.MqttPublishMessage;
import io.vertx.mqtt.messages.MqttSubAckMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the broker, from its opening to its end; never opened twice. All of it happens
 * on one event loop.
 */
final class MqttConnection {

  private static final int REFUSED = 0x80;
  private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(2);

  private final Context context;
  private final MqttClient client;
  private final int mostInWork;
  private final AtomicInteger inWork = new AtomicInteger();
  private volatile boolean open;
  private volatile boolean over;
  private volatile @Nullable Throwable broken;

  /** A connection that is not open yet; with so many messages in work, its broker has to wait. */
  MqttConnection(Vertx vertx, Context context, MqttClientOptions options, int mostInWork) {
    this.context = context;
    this.mostInWork = mostInWork;
    this.client = MqttClient.create(vertx, options);
    client.closeHandler(closed -> end());
    client.exceptionHandler(why -> broken = why);
  }

  /** It can be used: the broker has granted every subscription. */
  boolean isOpen() {
    return open && client.isConnected();
  }

  /** It has come to its end, and does not come back. */
  boolean isOver() {
    return over;
  }

  /** What broke it; empty if it was closed in peace. */
  Optional<Throwable> broken() {
    return Optional.ofNullable(broken);
  }

  /**
   * Connects and subscribes.
   *
   * @param messages is given what the broker sends, and acknowledges it
   * @param confirmations is given the broker's word that it has a message
   */
  Future<Void> open(
      BrokerAddress broker,
      Collection<TopicFilter> topics,
      Consumer<MqttPublishMessage> messages,
      Runnable confirmations) {
    var granted = Promise.<MqttSubAckMessage>promise();
    client.publishHandler(messages::accept);
    client.publishCompletionHandler(id -> confirmations.run());
    client.subscribeCompletionHandler(granted::tryComplete);
    var wanted =
        topics.stream().collect(Collectors.toMap(TopicFilter::pattern, t -> AT_LEAST_ONCE.value()));
    return onLoop(
        () ->
            client
                .connect(broker.port(), broker.host())
                .compose((MqttConnAckMessage taken) -> ask(wanted))
                .compose(asked -> granted.future())
                .compose(this::use)
                .onFailure(refused -> close()));
  }

  private Future<Integer> ask(Map<String, Integer> wanted) {
    return client.isConnected()
        ? client.subscribe(wanted)
        : Future.failedFuture(new MqttAway("the connection was closed"));
  }

  private Future<Void> use(MqttSubAckMessage answer) {
    if (answer.grantedQoSLevels().stream().anyMatch(level -> level >= REFUSED)) {
      return Future.failedFuture(new MqttAway("the broker refuses a subscription"));
    }
    open = true;
    return Future.succeededFuture();
  }

  /**
   * Completes when the message is written, at QoS 1 and not retained; the broker may yet drop it.
   */
  Uni<Void> publish(String topic, String payload) {
    return Uni.createFrom()
        .completionStage(() -> onLoop(() -> write(topic, payload)).toCompletionStage())
        .ifNoItem()
        .after(WRITTEN_WITHIN)
        .fail()
        .onFailure(Exception.class)
        .transform(lost -> new MqttAway(String.valueOf(lost.getMessage())))
        .replaceWithVoid();
  }

  /** The client itself stumbles over a connection that is gone. */
  private Future<Integer> write(String topic, String payload) {
    return client.isConnected()
        ? client.publish(topic, Buffer.buffer(payload), AT_LEAST_ONCE, false, false)
        : Future.failedFuture(new MqttAway("the connection was closed"));
  }

  /** The broker may forget it; without effect if the connection is gone: it comes again then. */
  void acknowledge(MqttPublishMessage message) {
    context.runOnContext(
        now -> {
          if (client.isConnected()) {
            message.ack();
          }
        });
  }

  /** A message is in work; called on the event loop. */
  void began() {
    if (inWork.incrementAndGet() == mostInWork) {
      client.pause();
    }
  }

  /** A message is done with. */
  void done() {
    if (inWork.getAndDecrement() == mostInWork) {
      context.runOnContext(
          now -> {
            if (client.isConnected()) {
              client.resume();
            }
          });
    }
  }

  void close() {
    end();
    context.runOnContext(
        now -> {
          if (client.isConnected()) {
            client.disconnect();
          }
        });
  }

  private void end() {
    open = false;
    over = true;
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> work) {
    var done = Promise.<T>promise();
    context.runOnContext(now -> work.get().onComplete(done));
    return done.future();
  }
}
