package dev.fencepost.platform.mqtt;

import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.TooLongFrameException;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The link to the broker: connects when it is this replica's turn, and again after every loss. The
 * service starts, and is ready, without it.
 */
@ApplicationScoped
public class MqttLink {

  private static final Logger LOG = Logger.getLogger(MqttLink.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration OPEN_WITHIN = Duration.ofSeconds(10);
  private static final int MOST_DOUBLINGS = 10;
  private static final String CLOSED = "the connection was closed";

  private final Vertx vertx;
  private final MqttSettings settings;
  private final MqttTurn turn;
  private final MqttInbox inbox;
  private final List<TopicFilter> topics;
  private final Entropy entropy;
  private final InFlight inFlight;
  private final MeterRegistry metrics;
  private final Optional<BrokerAddress> broker;
  private @Nullable Context context;
  private volatile @Nullable MqttConnection connection;
  private long openedAt;
  private long notBefore;
  private int losses;
  private volatile String lossReason = CLOSED;

  /** The broker would bring a message that ended the last connection again, and for ever. */
  private volatile boolean forget;

  private volatile boolean stopping;

  MqttLink(
      Vertx vertx,
      MqttSettings settings,
      MqttTurn turn,
      MqttInbox inbox,
      @All List<MqttListener> listeners,
      Entropy entropy,
      InFlight inFlight,
      MeterRegistry metrics) {
    this.vertx = vertx;
    this.settings = settings;
    this.turn = turn;
    this.inbox = inbox;
    this.topics = listeners.stream().flatMap(listener -> listener.topics().stream()).toList();
    this.entropy = entropy;
    this.inFlight = inFlight;
    this.metrics = metrics;
    this.broker = settings.url().filter(url -> !url.isBlank()).map(BrokerAddress::parse);
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    metrics.gauge("fencepost.mqtt.connected", this, link -> link.isConnected() ? 1 : 0);
    metrics.counter("fencepost.mqtt.connections.lost");
    broker.ifPresent(
        address -> {
          context = vertx.getOrCreateContext();
          notBefore = entropy.nanoTime();
          ticker.every(LOOK_EVERY, "link to " + address, () -> look(address));
        });
  }

  /** The next replica has it at once; what is unacknowledged comes to that one. */
  void handOver(@Observes ShutdownDelayInitiatedEvent stop) {
    stopping = true;
    hangUp();
    if (broker.isPresent()) {
      inFlight.start("hand-over of the link to the broker", turn.giveUp());
    }
  }

  /** Whether this replica has a connection over which messages come and go. */
  public boolean isConnected() {
    var current = connection;
    return current != null && current.isOpen();
  }

  /**
   * Sends a message at QoS 1, not retained.
   *
   * @return nothing, once it is written; fails with {@link MqttAway} if it cannot be
   */
  public Uni<Void> publish(String topic, String payload) {
    var current = connection;
    return current == null || !current.isOpen()
        ? Uni.createFrom().failure(new MqttAway("there is no connection"))
        : current.publish(topic, payload);
  }

  private Uni<Void> look(BrokerAddress address) {
    if (stopping) {
      return Uni.createFrom().voidItem();
    }
    return turn.isOurs().invoke(ours -> settle(address, ours && !stopping)).replaceWithVoid();
  }

  private void settle(BrokerAddress address, boolean ours) {
    var current = connection;
    if (current == null) {
      if (ours && entropy.nanoTime() >= notBefore) {
        open(address);
      }
    } else if (!ours) {
      LOG.infof("another replica has the link to %s", address);
      hangUp();
    } else if (current.isOver()) {
      current.broken().ifPresent(this::explain);
      lost(address);
    } else if (!current.isOpen() && isLate()) {
      lossReason = "it did not open in time";
      lost(address);
    }
  }

  private void explain(Throwable broken) {
    lossReason = reason(broken);
    if (broken instanceof TooLongFrameException) {
      forget = true;
    }
  }

  /** With its cause: of a failed handshake, only that says what is wrong. */
  private static String reason(Throwable failure) {
    var message = String.valueOf(failure.getMessage());
    return Optional.ofNullable(failure.getCause())
        .map(Throwable::getMessage)
        .filter(cause -> !message.contains(cause))
        .map(cause -> message + ": " + cause)
        .orElse(message);
  }

  private boolean isLate() {
    return entropy.nanoTime() - openedAt > OPEN_WITHIN.toNanos();
  }

  private void open(BrokerAddress address) {
    var options = MqttOptions.of(settings, address, forget);
    var next = new MqttConnection(vertx, here(), options, settings.maxInWork());
    openedAt = entropy.nanoTime();
    lossReason = CLOSED;
    connection = next;
    next.open(
            address,
            topics,
            message -> inbox.take(message, next),
            () -> metrics.counter("fencepost.mqtt.pubacks").increment())
        .onSuccess(
            done -> {
              losses = 0;
              forget = false;
              LOG.infof("connected to %s", address);
            })
        .onFailure(refused -> lossReason = reason(refused));
  }

  private Context here() {
    var known = context;
    if (known == null) {
      throw new IllegalStateException("not started");
    }
    return known;
  }

  private void lost(BrokerAddress address) {
    hangUp();
    metrics.counter("fencepost.mqtt.connections.lost").increment();
    var pause = pause();
    LOG.warnf("no link to %s (%s); again in %d ms", address, lossReason, pause.toMillis());
    notBefore = entropy.nanoTime() + pause.toNanos();
  }

  /** Half of it is chance, so that replicas and services do not all come at once. */
  private Duration pause() {
    var doubled = settings.reconnect().toMillis() << Math.min(losses++, MOST_DOUBLINGS);
    var longest = Math.min(doubled, settings.longestReconnect().toMillis());
    return Duration.ofMillis((long) (longest * (0.5 + entropy.fraction() / 2)));
  }

  private void hangUp() {
    var current = connection;
    connection = null;
    if (current != null) {
      current.close();
    }
  }
}
