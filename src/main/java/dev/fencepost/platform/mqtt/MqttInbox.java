package dev.fencepost.platform.mqtt;

import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mqtt.messages.MqttPublishMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * What comes from the broker. A message is acknowledged after it was recorded, or when there is
 * nothing in it to be recorded; no message can end the listening.
 */
@ApplicationScoped
class MqttInbox {

  private static final Logger LOG = Logger.getLogger(MqttInbox.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final double JITTER = 0.5;

  /** About half a minute; after that the connection is closed, and the broker brings it again. */
  private static final int TRIES = 10;

  /** Far more than a device has to say; in bytes. */
  private static final int LONGEST_PAYLOAD = 64 * 1024;

  private final List<MqttListener> listeners;
  private final InFlight inFlight;
  private final MeterRegistry metrics;

  MqttInbox(@All List<MqttListener> listeners, InFlight inFlight, MeterRegistry metrics) {
    this.listeners = listeners;
    this.inFlight = inFlight;
    this.metrics = metrics;
  }

  /** Takes a message; a broker that is faster than Redis is made to wait. */
  void take(MqttPublishMessage message, MqttConnection from) {
    from.began();
    var topic = message.topicName();
    inFlight.start(
        "message on " + topic,
        () -> facts(topic),
        hear(topic, message.payload())
            .invoke(
                outcome -> {
                  count(outcome);
                  from.acknowledge(message);
                })
            .onFailure(RedisUnavailable.class)
            .invoke(
                away -> {
                  count("unrecorded");
                  from.close();
                })
            .onTermination()
            .invoke(from::done));
  }

  private Uni<String> hear(String topic, Buffer payload) {
    return payload.length() > LONGEST_PAYLOAD
        ? Uni.createFrom().item(refused(topic, payload.length() + " bytes"))
        : hear(topic, payload.toString(StandardCharsets.UTF_8));
  }

  private Uni<String> hear(String topic, String payload) {
    return listeners.stream()
        .flatMap(listener -> hearing(listener, topic, payload))
        .findFirst()
        .map(
            heard ->
                heard
                    .onFailure(RedisUnavailable.class)
                    .retry()
                    .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
                    .withJitter(JITTER)
                    .atMost(TRIES)
                    .replaceWith("heard")
                    .onFailure(Refused.class)
                    .recoverWithItem(refused -> refused(topic, refused.getMessage()))
                    .onFailure(MqttInbox::isTheMessages)
                    .recoverWithItem(broken -> unreadable(topic, broken)))
        .orElseGet(() -> Uni.createFrom().item("unknown"));
  }

  private static Stream<Uni<Void>> hearing(MqttListener listener, String topic, String payload) {
    return listener.topics().stream()
        .flatMap(
            filter ->
                filter.match(topic).stream()
                    .map(
                        names ->
                            Uni.createFrom()
                                .deferred(() -> listener.hear(filter, names, payload))));
  }

  private LogFacts facts(String topic) {
    return listeners.stream()
        .flatMap(
            listener ->
                listener.topics().stream()
                    .flatMap(filter -> filter.match(topic).stream())
                    .map(listener::facts))
        .findFirst()
        .orElse(LogFacts.NONE);
  }

  private static boolean isTheMessages(Throwable failure) {
    return !(failure instanceof RedisUnavailable);
  }

  private String refused(String topic, @Nullable String why) {
    LogFacts.log(LOG, Level.DEBUG, () -> facts(topic), "message on %s refused: %s", topic, why);
    return "refused";
  }

  private String unreadable(String topic, Throwable broken) {
    LogFacts.log(
        LOG, Level.ERROR, () -> facts(topic), broken, "message on %s cannot be heard", topic);
    return "unreadable";
  }

  private void count(String outcome) {
    metrics.counter("fencepost.mqtt.messages", "outcome", outcome).increment();
  }
}
