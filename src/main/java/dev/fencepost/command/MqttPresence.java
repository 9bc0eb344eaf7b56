package dev.fencepost.command;

import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which devices were heard through the broker lately. The broker does not say who listens; who
 * talks over it is taken to.
 */
@ApplicationScoped
public class MqttPresence {

  private static final Duration LISTENS_FOR = Duration.ofSeconds(60);
  private static final Duration FORGET_EVERY = Duration.ofSeconds(10);

  /** Those beyond are not remembered: their commands go out a little later. */
  private static final int MOST_DEVICES = 200_000;

  /**
   * When a device was heard, by the clock of this process, and when it was last told everything.
   */
  private record Heard(long at, long toldAt) {}

  private final Map<String, Heard> devices = new ConcurrentHashMap<>();
  private final Entropy entropy;

  MqttPresence(Entropy entropy, MeterRegistry metrics) {
    this.entropy = entropy;
    metrics.gaugeMapSize("fencepost.mqtt.devices.heard", List.of(), devices);
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(FORGET_EVERY, "forgetting of silent devices", this::forget);
  }

  /**
   * Notes that a device was heard.
   *
   * @param live whether the session that it named is live
   * @return true if it is to be told everything unfinished: it has come (back), or it goes on with
   *     a session that is over, as if nobody had told it
   */
  public boolean heard(String deviceId, boolean live) {
    var now = entropy.nanoTime();
    var known = devices.get(deviceId);
    var tell = known == null || (!live && isLongAgo(known.toldAt, now));
    if (known != null || devices.size() < MOST_DEVICES) {
      devices.put(deviceId, new Heard(now, tell || known == null ? now : known.toldAt));
    }
    return tell;
  }

  boolean listens(String deviceId) {
    var known = devices.get(deviceId);
    return known != null && !isLongAgo(known.at, entropy.nanoTime());
  }

  private Uni<Void> forget() {
    var now = entropy.nanoTime();
    devices.values().removeIf(heard -> isLongAgo(heard.at, now));
    return Uni.createFrom().voidItem();
  }

  private static boolean isLongAgo(long then, long now) {
    return now - then > LISTENS_FOR.toNanos();
  }
}
