package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.postgres.PostgresAway;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * Looks at every lane's stream once a tick, and moves those that have something new. Safe on every
 * replica at once: lease and head decide, not the schedule.
 */
@ApplicationScoped
class ProjectLedger {

  private static final Logger LOG = Logger.getLogger(ProjectLedger.class);

  private static final int LANES_AT_ONCE = 8;
  private static final int EARLY = 100;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final ProjectLane projection;
  private final LaneStream streams;
  private final Lanes lanes;
  private final Entropy entropy;
  private final AuditSettings settings;
  private final MeterRegistry metrics;
  private final Map<Integer, StreamId> moved = new ConcurrentHashMap<>();
  private final Map<Integer, LaneStream.Ends> ends = new ConcurrentHashMap<>();
  private final AtomicLong notBefore;
  private final AtomicLong pause = new AtomicLong();
  private volatile boolean stopped;

  ProjectLedger(
      ProjectLane projection,
      LaneStream streams,
      Lanes lanes,
      Entropy entropy,
      AuditSettings settings,
      MeterRegistry metrics) {
    this.projection = projection;
    this.streams = streams;
    this.lanes = lanes;
    this.entropy = entropy;
    this.settings = settings;
    this.metrics = metrics;
    metrics.counter("fencepost.audit.projection.failures");
    this.notBefore = new AtomicLong(entropy.nanoTime());
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    metrics.gauge("fencepost.audit.backlog", this, ProjectLedger::backlog);
    metrics.gauge("fencepost.audit.backlog.largest", this, ProjectLedger::largest);
    metrics.gauge("fencepost.audit.oldest.waiting.seconds", this, ProjectLedger::oldest);
    if (settings.project()) {
      ticker.every(settings.projectEvery(), "the ledger", this::projectAll);
    }
  }

  void stop(@Observes @Priority(EARLY) ShutdownEvent stop) {
    stopped = true;
  }

  Uni<Void> projectAll() {
    if (stopped) {
      return Uni.createFrom().voidItem();
    }
    return Multi.createFrom()
        .iterable(lanes.allFrom((int) (entropy.fraction() * lanes.count())))
        .onItem()
        .transformToUni(this::lookAt)
        .merge(LANES_AT_ONCE)
        .onItem()
        .ignoreAsUni()
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(away -> Uni.createFrom().voidItem());
  }

  private Uni<Void> lookAt(Lane lane) {
    return streams
        .look(lane)
        .invoke(seen -> ends.put(lane.number(), seen))
        .flatMap(
            seen -> isNew(lane, seen) && isTime() ? project(lane) : Uni.createFrom().voidItem());
  }

  private boolean isNew(Lane lane, LaneStream.Ends seen) {
    return seen.length() > 0 && !seen.newest().equals(moved.get(lane.number()));
  }

  private boolean isTime() {
    return entropy.nanoTime() - notBefore.get() >= 0 && !stopped;
  }

  private Uni<Void> project(Lane lane) {
    return projection
        .project(lane)
        .invoke(last -> last.ifPresent(id -> moved(lane, id)))
        .replaceWithVoid()
        .onFailure(HeadMoved.class)
        .recoverWithUni(elsewhere -> Uni.createFrom().voidItem())
        .onFailure(LeaseLost.class)
        .recoverWithUni(elsewhere -> Uni.createFrom().voidItem())
        .onFailure(ProjectLedger::isTheLedgers)
        .recoverWithUni(failure -> later(lane, failure));
  }

  private void moved(Lane lane, StreamId last) {
    moved.put(lane.number(), last);
    pause.set(0);
  }

  private static boolean isTheLedgers(Throwable failure) {
    return !(failure instanceof RedisUnavailable);
  }

  /** Events wait in Redis; nobody else does. */
  private Uni<Void> later(Lane lane, Throwable failure) {
    var longest = settings.maxPause().toNanos();
    var next =
        pause.updateAndGet(last -> Math.min(longest, Math.max(FIRST_PAUSE.toNanos(), 2 * last)));
    notBefore.set(entropy.nanoTime() + (long) (next * (1 + entropy.fraction()) / 2));
    metrics.counter("fencepost.audit.projection.failures").increment();
    if (PostgresAway.isCause(failure)) {
      LogFacts.log(
          LOG,
          Level.WARN,
          lane::facts,
          "the ledger does not answer, events wait in Redis: %s",
          failure.getMessage());
    } else {
      LogFacts.log(
          LOG,
          Level.ERROR,
          lane::facts,
          failure,
          "events of lane %d cannot be moved to the ledger",
          lane.number());
    }
    return Uni.createFrom().voidItem();
  }

  private double backlog() {
    return ends.values().stream().mapToLong(LaneStream.Ends::waiting).sum();
  }

  private double largest() {
    return ends.values().stream().mapToLong(LaneStream.Ends::waiting).max().orElse(0);
  }

  private double oldest() {
    var now = entropy.now().toEpochMilli();
    return ends.values().stream()
            .filter(lane -> lane.waiting() > 0)
            .mapToLong(lane -> now - lane.second().millis())
            .max()
            .orElse(0)
        / 1000.0;
  }
}
