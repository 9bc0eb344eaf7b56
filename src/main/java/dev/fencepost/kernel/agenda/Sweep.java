package dev.fencepost.kernel.agenda;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.Counter;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/**
 * A look at what every lane has to be done. A bad item never stops the others, and is met again the
 * next time; only an absent Redis ends a sweep early.
 */
public final class Sweep {

  private static final Logger LOG = Logger.getLogger(Sweep.class);

  private static final int LANES_AT_ONCE = 16;

  private final String name;
  private final Lanes lanes;
  private final Entropy entropy;
  private final Counter left;
  private final Counter cutShort;

  /** Said once, not at every tick while Redis is away. */
  private final AtomicBoolean said = new AtomicBoolean();

  Sweep(String name, Lanes lanes, Entropy entropy, Counter left, Counter cutShort) {
    this.name = name;
    this.lanes = lanes;
    this.entropy = entropy;
    this.left = left;
    this.cutShort = cutShort;
  }

  /**
   * Works on every lane, some at once. It begins anywhere, so that no lane comes last always.
   *
   * @return what the lanes gave; null if Redis went away meanwhile
   */
  public <T> Uni<List<T>> lanes(Function<Lane, Uni<? extends T>> work) {
    return Multi.createFrom()
        .iterable(lanes.allFrom((int) (entropy.fraction() * lanes.count())))
        .onItem()
        .transformToUni(work)
        .merge(LANES_AT_ONCE)
        .collect()
        .asList()
        .invoke(() -> said.set(false))
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(this::nextTime);
  }

  /**
   * Works on one item after the other.
   *
   * @param facts what the log line about an item that cannot be handled carries
   */
  public <I, O> Uni<Void> each(
      Collection<I> items, Function<I, LogFacts> facts, Function<I, Uni<O>> work) {
    return Multi.createFrom()
        .iterable(items)
        .onItem()
        .transformToUniAndConcatenate(item -> each(item, facts, work))
        .collect()
        .last()
        .replaceWithVoid();
  }

  private <I, O> Uni<Void> each(I item, Function<I, LogFacts> facts, Function<I, Uni<O>> work) {
    return Uni.createFrom()
        .deferred(() -> work.apply(item))
        .replaceWithVoid()
        .onFailure(Sweep::isTheItems)
        .recoverWithUni(broken -> leave(item, () -> facts.apply(item), broken));
  }

  private static boolean isTheItems(Throwable failure) {
    return !(failure instanceof RedisUnavailable);
  }

  private Uni<Void> leave(Object item, Supplier<LogFacts> facts, Throwable broken) {
    LogFacts.log(LOG, Level.ERROR, facts, broken, "%s: cannot handle %s", name, item);
    left.increment();
    return Uni.createFrom().voidItem();
  }

  private <T> Uni<List<T>> nextTime(Throwable away) {
    cutShort.increment();
    if (!said.getAndSet(true)) {
      LOG.warnf("%s cut short: %s", name, away.getMessage());
    }
    return Uni.createFrom().nullItem();
  }
}
