package dev.fencepost.kernel.fence;

import static dev.fencepost.kernel.fence.LeaseLost.Cause.HANDED_OVER;
import static dev.fencepost.kernel.fence.LeaseLost.Cause.NOTICED;
import static java.util.stream.Collectors.groupingBy;

import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Renews every lease of this process: one script call per agenda and tick, never a timer per lock.
 * A lease that could not be renewed cancels the work that stands on it.
 */
@ApplicationScoped
public class LeaseKeeper {

  private static final LuaScript RENEW = LuaScript.named("fence/renew");

  /** A script call blocks Redis; a thousand renewals take it about a millisecond. */
  private static final int LARGEST_BATCH = 1000;

  private static final Duration[] RENEWAL_BUCKETS = {
    Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofSeconds(5)
  };

  private final RedisRoad redis;
  private final Entropy entropy;
  private final LeaseSettings settings;
  private final MeterRegistry metrics;
  private final Timer renewal;
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  LeaseKeeper(RedisRoad redis, Entropy entropy, LeaseSettings settings, MeterRegistry metrics) {
    this.redis = redis;
    this.entropy = entropy;
    this.settings = settings;
    this.metrics = metrics;
    this.renewal =
        Timer.builder("fencepost.lease.renewal.duration")
            .description("How long it takes to renew all leases of this process")
            .serviceLevelObjectives(RENEWAL_BUCKETS)
            .register(metrics);
    metrics.gaugeMapSize("fencepost.leases.held", List.of(), held);
    metrics.counter("fencepost.leases.lost");
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    ticker.every(settings.tick(), "lease renewal", this::renewAll);
  }

  /**
   * Runs work under a lease that was just granted, renewing it until the work ends, however it
   * ends.
   *
   * @return the work's outcome; fails with {@link LeaseLost} when the lease goes first
   */
  public <T> Uni<T> whileHeld(Lease lease, Uni<T> work) {
    return Uni.createFrom()
        .deferred(
            () -> {
              var mine = keep(lease);
              return Uni.join()
                  .first(work, mine.<T>loss())
                  .toTerminate()
                  .onTermination()
                  .invoke(() -> held.remove(lease.holder(), mine));
            });
  }

  /**
   * Asks before an effect: is the lease certain to be ours for long enough? A process that slept
   * finds out here.
   *
   * @param needed the effect's own time limit; half a lease is enough, because renewal goes on
   *     meanwhile and its failure cancels the effect
   * @return nothing; fails with {@link LeaseLost}
   */
  public Uni<Void> assureTimeFor(Lease lease, Duration needed) {
    return Uni.createFrom()
        .deferred(
            () -> {
              var mine = held.get(lease.holder());
              var enough = Math.min(needed.toNanos(), settings.ttl().toNanos() / 2);
              if (mine == null || mine.nanosLeft(entropy.nanoTime()) < enough) {
                return Uni.createFrom()
                    .failure(
                        new LeaseLost(NOTICED, "no time left on the lease for the next effect"));
              }
              return Uni.createFrom().voidItem();
            });
  }

  /** Whether a holder is at work in this process. */
  public boolean isHeldHere(String holder) {
    return held.containsKey(holder);
  }

  private Held keep(Lease lease) {
    var now = entropy.nanoTime();
    var mine = new Held(lease, now, now + settings.ttl().toNanos());
    held.put(lease.holder(), mine);
    return mine;
  }

  Uni<Void> renewAll() {
    var since = entropy.nanoTime();
    held.values().forEach(this::giveUpIfHung);
    return Multi.createFrom()
        .iterable(batches())
        .onItem()
        .transformToUni(this::renew)
        .merge(LARGEST_BATCH)
        .collect()
        .last()
        .replaceWithVoid()
        .invoke(done -> renewal.record(Duration.ofNanos(entropy.nanoTime() - since)));
  }

  private List<List<Held>> batches() {
    return held.values().stream()
        .collect(groupingBy(mine -> mine.lease.agendaKey()))
        .values()
        .stream()
        .flatMap(LeaseKeeper::chunks)
        .toList();
  }

  private static Stream<List<Held>> chunks(List<Held> agenda) {
    var chunks = new ArrayList<List<Held>>();
    for (var from = 0; from < agenda.size(); from += LARGEST_BATCH) {
      chunks.add(agenda.subList(from, Math.min(agenda.size(), from + LARGEST_BATCH)));
    }
    return chunks.stream();
  }

  private Uni<Void> renew(List<Held> batch) {
    var askedAt = entropy.nanoTime();
    return redis
        .run(RENEW, keys(batch), args(batch))
        .invoke(
            answers -> {
              for (var i = 0; i < batch.size(); i++) {
                settle(batch.get(i), answers.get(i).toString(), askedAt);
              }
            })
        .replaceWithVoid()
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(() -> giveUpWhatExpired(batch));
  }

  private static List<String> keys(List<Held> batch) {
    return Stream.concat(
            Stream.of(batch.get(0).lease.agendaKey()), batch.stream().map(mine -> mine.lease.key()))
        .toList();
  }

  private List<String> args(List<Held> batch) {
    return Stream.concat(
            Stream.of(Long.toString(settings.ttl().toMillis())),
            batch.stream().flatMap(mine -> Stream.of(mine.lease.holder(), mine.lease.subject())))
        .toList();
  }

  /** The lease lasts from before the request left: Redis cannot have started it earlier. */
  private void settle(Held mine, String answer, long askedAt) {
    if (Renewal.valueOf(answer) == Renewal.RENEWED) {
      mine.goodUntil(askedAt + settings.ttl().toNanos());
    } else {
      lose(mine, "another holder has it, or it expired");
    }
  }

  private Uni<Void> giveUpWhatExpired(Collection<Held> batch) {
    var now = entropy.nanoTime();
    batch.stream()
        .filter(mine -> mine.nanosLeft(now) <= 0)
        .forEach(mine -> lose(mine, "it could not be renewed in time"));
    return Uni.createFrom().voidItem();
  }

  private void giveUpIfHung(Held mine) {
    if (entropy.nanoTime() - mine.heldSinceNanos > settings.maxHold().toNanos()) {
      lose(mine, "held for longer than fencepost.lease.max-hold");
    }
  }

  /** Gives every lease of this process up: their work is cancelled and may be handed over. */
  public void handOverAll() {
    held.values().forEach(mine -> end(mine, new LeaseLost(HANDED_OVER, "the process ends")));
  }

  private void lose(Held mine, String why) {
    metrics.counter("fencepost.leases.lost").increment();
    end(mine, new LeaseLost(NOTICED, "lease of " + mine.lease.subject() + " lost: " + why));
  }

  private void end(Held mine, LeaseLost why) {
    if (held.remove(mine.lease.holder(), mine)) {
      mine.lose(why);
    }
  }
}
