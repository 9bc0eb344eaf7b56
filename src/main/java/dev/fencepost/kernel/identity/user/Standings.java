package dev.fencepost.kernel.identity.user;

import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What this process knows of users: a local copy, at most {@code look-every} old while Redis
 * answers and {@code max-stale} while it does not. PostgreSQL is asked when Redis knows nothing; a
 * user that neither knows has no standing.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
public class Standings {

  /** While Redis is away it is asked this rarely, and requests do not wait for it. */
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);

  /** Longer than between two scrapes. */
  private static final Duration SHOWN_FOR = Duration.ofMinutes(1);

  private final StandingStore store;
  private final UserStore users;
  private final StandingSettings settings;
  private final Entropy entropy;
  private final MeterRegistry metrics;
  private final Map<String, Copy> copies = new ConcurrentHashMap<>();
  private final AtomicLong oldestUsed = new AtomicLong();
  private final AtomicLong lastUsed = new AtomicLong();
  private final AtomicLong nextTry;

  Standings(
      StandingStore store,
      UserStore users,
      StandingSettings settings,
      Entropy entropy,
      MeterRegistry metrics) {
    this.store = store;
    this.users = users;
    this.settings = settings;
    this.entropy = entropy;
    this.metrics = metrics;
    this.nextTry = new AtomicLong(entropy.nanoTime());
    metrics.gauge("fencepost.identity.stale.seconds", this, Standings::secondsStale);
    metrics.counter("fencepost.identity.stale");
    metrics.counter("fencepost.identity.unknown");
  }

  /** A standing, and when it was asked for: it is at least as new as that. */
  private record Copy(Standing standing, long askedAt) {

    static Copy later(Copy one, Copy other) {
      return other.askedAt - one.askedAt >= 0 ? other : one;
    }
  }

  /**
   * The standing by which a token is judged.
   *
   * @param tokenVersion the standing must not be older than the token that is judged by it
   * @return fails with {@code Refused(UNAVAILABLE)} when nobody can say
   */
  public Uni<Optional<Standing>> of(String userId, long tokenVersion, long permissionVersion) {
    var copy = copies.get(userId);
    if (copy != null && copy.standing.covers(tokenVersion, permissionVersion)) {
      if (isYounger(copy, settings.lookEvery())) {
        oldestUsed.set(0);
        return Uni.createFrom().item(Optional.of(copy.standing));
      }
      if (entropy.nanoTime() - nextTry.get() < 0) {
        return local(userId, tokenVersion, permissionVersion);
      }
    }
    return look(userId, tokenVersion, permissionVersion, copy != null)
        .onFailure(Standings::isAway)
        .recoverWithUni(away -> local(userId, tokenVersion, permissionVersion));
  }

  private Uni<Optional<Standing>> look(
      String userId, long tokenVersion, long permissionVersion, boolean hasCopy) {
    var askedAt = entropy.nanoTime();
    var found = store.find(userId);
    return (hasCopy ? found.ifNoItem().after(settings.lookPatience()).fail() : found)
        .onFailure(Standings::isAway)
        .invoke(away -> nextTry.set(entropy.nanoTime() + PAUSE_AFTER_FAILURE.toNanos()))
        .flatMap(
            known ->
                known.filter(s -> s.covers(tokenVersion, permissionVersion)).isPresent()
                    ? compared(userId, known.get())
                    : users.publish(userId))
        .invoke(standing -> standing.ifPresent(s -> keep(userId, new Copy(s, askedAt))));
  }

  /** What stands in Redis for long is compared with the truth; if that is away, it stands on. */
  private Uni<Optional<Standing>> compared(String userId, Standing known) {
    var age = entropy.now().toEpochMilli() - known.publishedAt();
    return age < settings.compareEvery().toMillis()
        ? Uni.createFrom().item(Optional.of(known))
        : users.publish(userId).onFailure(Standings::isAway).recoverWithItem(Optional.of(known));
  }

  private void keep(String userId, Copy copy) {
    copies.merge(userId, copy, Copy::later);
    oldestUsed.set(0);
  }

  private Uni<Optional<Standing>> local(String userId, long tokenVersion, long permissionVersion) {
    var copy = copies.get(userId);
    if (copy == null
        || !copy.standing.covers(tokenVersion, permissionVersion)
        || !isYounger(copy, settings.maxStale())) {
      metrics.counter("fencepost.identity.unknown").increment();
      return Uni.createFrom()
          .failure(
              new Refused(
                  ProblemType.UNAVAILABLE,
                  "nobody can say now whether this token is still good; try again"));
    }
    metrics.counter("fencepost.identity.stale").increment();
    lastUsed.set(entropy.nanoTime());
    oldestUsed.accumulateAndGet(entropy.nanoTime() - copy.askedAt, Math::max);
    return Uni.createFrom().item(Optional.of(copy.standing));
  }

  /** A replica that nobody asks does not learn that Redis is back. */
  private double secondsStale() {
    return entropy.nanoTime() - lastUsed.get() < SHOWN_FOR.toNanos() ? oldestUsed.get() / 1e9 : 0;
  }

  private boolean isYounger(Copy copy, Duration limit) {
    return entropy.nanoTime() - copy.askedAt < limit.toNanos();
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof RedisUnavailable
        || failure instanceof TimeoutException
        || (failure instanceof Refused refused && refused.type() == ProblemType.UNAVAILABLE);
  }

  /** Forgets what is too old to be used, so that there is never more than the users of late. */
  @Scheduled(every = "30s")
  Uni<Void> forget() {
    copies.values().removeIf(copy -> !isYounger(copy, settings.maxStale()));
    return Uni.createFrom().voidItem();
  }
}
