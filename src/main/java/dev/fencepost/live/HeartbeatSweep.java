package dev.fencepost.live;

import dev.fencepost.kernel.agenda.Sweep;
import dev.fencepost.kernel.agenda.Sweeps;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Stops the sessions of devices that have fallen silent. Safe on every replica at once: Redis
 * judges the silence inside the script that stops. Reads only what is due.
 */
@ApplicationScoped
class HeartbeatSweep {

  private static final Logger LOG = Logger.getLogger(HeartbeatSweep.class);

  /** How many silent devices of one lane are stopped in one tick. */
  private static final int BATCH = 1000;

  private final LiveStore sessions;
  private final LiveViewStore views;
  private final StopLive stopLive;
  private final LiveSettings settings;
  private final Sweep sweep;
  private final Entropy entropy;
  private final AtomicLong live;

  HeartbeatSweep(
      LiveStore sessions,
      LiveViewStore views,
      StopLive stopLive,
      LiveSettings settings,
      Sweeps sweeps,
      Entropy entropy,
      MeterRegistry metrics) {
    this.sessions = sessions;
    this.views = views;
    this.stopLive = stopLive;
    this.settings = settings;
    this.sweep = sweeps.named("heartbeat sweep", "fencepost.live.unstoppable");
    this.entropy = entropy;
    this.live = metrics.gauge("fencepost.live.sessions", new AtomicLong());
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(settings.sweepEvery(), "heartbeat sweep", this::sweep);
  }

  Uni<Void> sweep() {
    return sweep
        .lanes(this::sweep)
        .onItem()
        .ifNotNull()
        .invoke(counts -> live.set(counts.stream().mapToLong(Integer::longValue).sum()))
        .replaceWithVoid();
  }

  /** Sweeps one lane and counts its live sessions. */
  private Uni<Integer> sweep(Lane lane) {
    return sessions
        .silence(lane, BATCH)
        .flatMap(
            silence ->
                sweep
                    .each(
                        silence.silent(),
                        deviceId -> lane.facts().device(deviceId),
                        deviceId -> stop(lane, deviceId))
                    .replaceWith(silence.live()));
  }

  private Uni<Void> stop(Lane lane, String deviceId) {
    var origin = Origin.ofService(Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES)));
    return views
        .newestId(deviceId)
        .flatMap(
            newest ->
                stopLive.stop(
                    sessions.keys(deviceId, newest.orElse("")),
                    Stop.afterSilence(settings.heartbeatTimeout(), origin)))
        .invoke(stopped -> log(lane, deviceId, origin, stopped))
        .replaceWithVoid();
  }

  private static void log(Lane lane, String deviceId, Origin origin, Stopped stopped) {
    if (stopped.answer() == Stopped.Answer.ACCEPTED) {
      LogFacts.log(
          LOG,
          Level.DEBUG,
          () -> lane.facts().device(deviceId).trace(origin.trace()),
          "session %s of %s: stopped, its device fell silent",
          stopped.sessionId(),
          deviceId);
    }
  }
}
