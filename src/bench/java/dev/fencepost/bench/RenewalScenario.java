package dev.fencepost.bench;

import dev.fencepost.assessment.BenchTickets;
import dev.fencepost.kernel.fence.BenchKeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * What it costs to keep many leases: one tick of the keeper, against the watchdogs of as many
 * Redisson locks over one of their periods. Both renew each lease once.
 */
final class RenewalScenario {

  private static final int LEASES = 10_000;
  private static final int IN_FLIGHT = 64;
  private static final long WATCHDOG_MILLIS = 6_000;

  /** Redisson renews after a third of the time-out. */
  private static final long PERIOD_MILLIS = WATCHDOG_MILLIS / 3;

  private static final int PERIODS = 2;

  private final Stores stores;
  private final int leases;
  private final Wiring wiring;

  private RenewalScenario(Stores stores, int leases, Wiring wiring) {
    this.stores = stores;
    this.leases = leases;
    this.wiring = wiring;
  }

  static void run(Stores stores, Scale scale, Results results) {
    var settings = Map.of("fencepost.lease.ttl", "10m");
    try (var wiring = new Wiring(stores.redisPort(), stores.redisPassword(), settings)) {
      new RenewalScenario(stores, scale.of(LEASES), wiring).compare(scale, results);
    }
  }

  /** For one renewal of one lease, in microseconds; and commands for all leases, once. */
  private record Cost(double redis, double client, double commands) {
    double both() {
      return redis + client;
    }
  }

  private void compare(Scale scale, Results results) {
    var tickets = new BenchTickets(wiring);
    var keeper = new BenchKeeper(wiring);
    ClosedLoop.each(
        wiring.vertx(),
        IN_FLIGHT,
        leases,
        i -> tickets.open("held-" + i).invoke(working -> keeper.hold(working.lease())));
    var redisson = redisson();
    try {
      var turns =
          new Turns<Cost>()
              .side("fencepost", () -> ours(keeper))
              .side("redisson", () -> theirs(redisson))
              .play(Math.min(3, scale.rounds()));
      var ratio = turns.ratio("redisson", "fencepost", Cost::both);
      var line =
          Line.of("renewal")
              .with("leases", leases)
              .with("fencepost commands per tick", turns.spread("fencepost", Cost::commands))
              .with("redisson commands per tick", turns.spread("redisson", Cost::commands))
              .with("fencepost Redis CPU µs", turns.spread("fencepost", Cost::redis))
              .with("redisson Redis CPU µs", turns.spread("redisson", Cost::redis))
              .with("fencepost client CPU µs", turns.spread("fencepost", Cost::client))
              .with("redisson client CPU µs", turns.spread("redisson", Cost::client))
              .with("times cheaper", ratio)
              .atLeast(20, ratio);
      results.add(line);
    } finally {
      redisson.shutdown();
      keeper.giveUp();
    }
  }

  private Cost ours(BenchKeeper keeper) {
    var ticks = 10;
    return cost(
        ticks, () -> ClosedLoop.each(wiring.vertx(), 1, ticks, i -> keeper.tick()), "evalsha");
  }

  /** Locks without a lease time are kept by watchdogs; they are let go again before our turn. */
  private Cost theirs(RedissonClient redisson) {
    var locks = new ArrayList<RFencedLock>();
    for (var i = 0; i < leases; i++) {
      locks.add(redisson.getFencedLock("redisson:held:" + i));
    }
    all(locks, lock -> lock.tryLockAsync(1).toCompletableFuture());
    pause(PERIOD_MILLIS);
    var cost = cost(PERIODS, () -> pause(PERIODS * PERIOD_MILLIS), "evalsha", "eval");
    all(locks, lock -> lock.unlockAsync(1).toCompletableFuture());
    return cost;
  }

  private static void all(
      List<RFencedLock> locks,
      java.util.function.Function<RFencedLock, java.util.concurrent.CompletableFuture<?>> act) {
    for (var from = 0; from < locks.size(); from += IN_FLIGHT) {
      java.util.concurrent.CompletableFuture.allOf(
              locks.subList(from, Math.min(locks.size(), from + IN_FLIGHT)).stream()
                  .map(act)
                  .toArray(java.util.concurrent.CompletableFuture[]::new))
          .join();
    }
  }

  private Cost cost(int ticks, Runnable work, String... commands) {
    try (var redis = stores.resp()) {
      var before = ServerTime.of(redis);
      var cpu = Cpu.ofThisProcess();
      work.run();
      var done = ServerTime.of(redis).since(before);
      var renewals = (double) ticks * leases;
      return new Cost(
          done.cpuMicros() / renewals,
          Cpu.microsBetween(cpu, Cpu.ofThisProcess()) / renewals,
          done.calls(commands) / (double) ticks);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private RedissonClient redisson() {
    var config = new Config().setLockWatchdogTimeout(WATCHDOG_MILLIS);
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + stores.redisPort())
        .setPassword(stores.redisPassword());
    return Redisson.create(config);
  }
}
