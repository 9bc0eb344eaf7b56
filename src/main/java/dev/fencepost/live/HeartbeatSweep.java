package dev.fencepost.live;

import static java.util.stream.Collectors.summingLong;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Stops the sessions of devices that have fallen silent. Safe on every replica at once: Redis
 * judges the silence inside the script that stops. Reads only what is due.
 */
@ApplicationScoped
class HeartbeatSweep {

  private static final Logger LOG = Logger.getLogger(HeartbeatSweep.class);

  /** How many silent devices of one lane are stopped in one tick. */
  private static final int BATCH = 1000;

  private static final int LANES_AT_ONCE = 16;

  private final LiveStore sessions;
  private final LiveViewStore views;
  private final StopLive stopLive;
  private final LiveSettings settings;
  private final Lanes lanes;
  private final Entropy entropy;
  private final MeterRegistry metrics;
  private final AtomicLong live;

  HeartbeatSweep(
      LiveStore sessions,
      LiveViewStore views,
      StopLive stopLive,
      LiveSettings settings,
      Lanes lanes,
      Entropy entropy,
      MeterRegistry metrics) {
    this.sessions = sessions;
    this.views = views;
    this.stopLive = stopLive;
    this.settings = settings;
    this.lanes = lanes;
    this.entropy = entropy;
    this.metrics = metrics;
    metrics.counter("fencepost.live.unstoppable");
    this.live = metrics.gauge("fencepost.live.sessions", new AtomicLong());
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(settings.sweepEvery(), "heartbeat sweep", this::sweep);
  }

  Uni<Void> sweep() {
    return Multi.createFrom()
        .iterable(lanes.allFrom((int) (entropy.fraction() * lanes.count())))
        .onItem()
        .transformToUni(this::sweep)
        .merge(LANES_AT_ONCE)
        .collect()
        .with(summingLong(Integer::longValue))
        .invoke(live::set)
        .replaceWithVoid()
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(this::nextTime);
  }

  /** Sweeps one lane and counts its live sessions. */
  private Uni<Integer> sweep(Lane lane) {
    return sessions
        .silence(lane, BATCH)
        .flatMap(
            silence ->
                Multi.createFrom()
                    .iterable(silence.silent())
                    .onItem()
                    .transformToUniAndConcatenate(this::stop)
                    .collect()
                    .last()
                    .replaceWith(silence.live()));
  }

  private Uni<Void> stop(String deviceId) {
    var origin = Origin.ofService(Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES)));
    return views
        .newestId(deviceId)
        .flatMap(
            newest ->
                stopLive.stop(
                    sessions.keys(deviceId, newest.orElse("")),
                    Stop.afterSilence(settings.heartbeatTimeout(), origin)))
        .replaceWithVoid()
        .onFailure(HeartbeatSweep::isTheSessions)
        .recoverWithUni(broken -> leave(deviceId, broken));
  }

  /** Only an absent Redis ends a sweep; whatever else goes wrong is wrong with this one session. */
  private static boolean isTheSessions(Throwable failure) {
    return !(failure instanceof RedisUnavailable);
  }

  private Uni<Void> leave(String deviceId, Throwable broken) {
    LOG.errorf(broken, "the session of %s cannot be stopped", deviceId);
    metrics.counter("fencepost.live.unstoppable").increment();
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> nextTime(Throwable away) {
    LOG.warnf("heartbeat sweep cut short: %s", away.getMessage());
    metrics.counter("fencepost.sweeps.cut.short").increment();
    return Uni.createFrom().voidItem();
  }
}
