package dev.fencepost.bench;

import dev.fencepost.assessment.BenchTickets;
import dev.fencepost.assessment.BenchTickets.Due;
import dev.fencepost.kernel.audit.ledger.BenchLaneLease;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Acquire and release, against Redisson's fenced lock: of a lease alone, which is a lock and a
 * token as Redisson's is, and of a ticket, where the same two scripts also check the agenda, return
 * all facts and leave two audit events. Redisson gets a fixed lease time, which spares it the
 * watchdog.
 */
final class LeaseScenario {

  private static final int KEYS = 1000;
  private static final int CONTENDED_KEYS = 8;
  private static final int[] IN_FLIGHT = {1, 16, 64};
  private static final int MOST_IN_FLIGHT = 64;
  private static final int WATCHED_PAIRS = 200;
  private static final int LEASE_SECONDS = 15;
  private static final int[] THREADS = {2, 4, 16};
  private static final int[] POOLS = {2, 8, 64};
  private static final String LEASE = "fencepost";
  private static final String TICKET = "fencepost, a whole ticket";
  private static final String DEFAULT = "redisson-default";
  private static final String TUNED = "redisson-tuned";

  private final Stores stores;
  private final Scale scale;
  private final Results results;
  private final Wiring wiring;
  private final BenchTickets tickets;
  private final BenchLaneLease leases;
  private final List<Due> due = new ArrayList<>();
  private final AtomicLong nextId = new AtomicLong(1);

  private LeaseScenario(Stores stores, Scale scale, Results results, Wiring wiring) {
    this.stores = stores;
    this.scale = scale;
    this.results = results;
    this.wiring = wiring;
    this.tickets = new BenchTickets(wiring);
    this.leases = new BenchLaneLease(wiring);
  }

  static void run(Stores stores, Scale scale, Results results) {
    try (var wiring = new Wiring(stores.redisPort(), stores.redisPassword(), Map.of())) {
      new LeaseScenario(stores, scale, results, wiring).run();
    }
  }

  private void run() {
    ClosedLoop.each(
        wiring.vertx(), MOST_IN_FLIGHT, KEYS, i -> tickets.queue("asset-" + i).invoke(this::isDue));
    var plain = redisson(0, 0);
    var tuned = tuned();
    try {
      var commands = commandsPerPair(plain);
      for (var inFlight : IN_FLIGHT) {
        compare(inFlight, plain, tuned, commands);
      }
      contend(plain, tuned);
    } finally {
      plain.shutdown();
      tuned.shutdown();
    }
  }

  private void isDue(Due entry) {
    synchronized (due) {
      due.add(entry);
    }
  }

  private void compare(
      int inFlight, RedissonClient plain, RedissonClient tuned, Map<String, double[]> commands) {
    var turns =
        new Turns<Measured>()
            .side(LEASE, () -> measured(inFlight, leaseAlone(inFlight)))
            .side(TICKET, () -> measured(inFlight, wholeTicket(inFlight)))
            .side(DEFAULT, () -> measured(inFlight, theirs(plain, inFlight)))
            .side(TUNED, () -> measured(inFlight, theirs(tuned, inFlight)))
            .play(scale.rounds());
    var toDefault = turns.ratio(LEASE, DEFAULT, Measured::perSecond);
    var toTuned = turns.ratio(LEASE, TUNED, Measured::perSecond);
    var line =
        Line.of("lease")
            .with("in flight", inFlight)
            .with(LEASE, turns.spread(LEASE, Measured::perSecond))
            .with(TICKET, turns.spread(TICKET, Measured::perSecond))
            .with(DEFAULT, turns.spread(DEFAULT, Measured::perSecond))
            .with(TUNED, turns.spread(TUNED, Measured::perSecond))
            .with("ratio to default", toDefault)
            .with("ratio to tuned", toTuned);
    if (inFlight == MOST_IN_FLIGHT) {
      line.atLeast(5, toTuned);
    } else if (inFlight == 1) {
      line.atLeast(1.5, toTuned);
    }
    results.add(
        line.with("whole ticket to tuned", turns.ratio(TICKET, TUNED, Measured::perSecond)));
    for (var side : List.of(LEASE, TICKET, DEFAULT, TUNED)) {
      results.add(
          Line.of("lease-cost")
              .with("in flight", inFlight)
              .with("side", side)
              .with("p50 ms", turns.spread(side, m -> m.round.p50()).median())
              .with("p99 ms", turns.spread(side, m -> m.round.p99()).median())
              .with("commands sent per pair", commands.get(side)[0])
              .with("commands run per pair", commands.get(side)[1])
              .with("Redis CPU µs per pair", turns.spread(side, Measured::redisMicros))
              .with("client CPU µs per pair", turns.spread(side, Measured::clientMicros)));
    }
  }

  /** A round, with what it cost. */
  private record Measured(Round round, double redisMicros, double clientMicros) {
    double perSecond() {
      return round.perSecond();
    }
  }

  private Measured measured(int inFlight, ClosedLoop.Operation pair) {
    try (var redis = stores.resp()) {
      var before = ServerTime.of(redis);
      var cpu = Cpu.ofThisProcess();
      var round = ClosedLoop.run(wiring.vertx(), inFlight, scale.round(), pair);
      var pairs = (double) round.operations();
      return new Measured(
          round,
          ServerTime.of(redis).since(before).cpuMicros() / pairs,
          Cpu.microsBetween(cpu, Cpu.ofThisProcess()) / pairs);
    }
  }

  /** Each worker has keys of its own, and walks through them. */
  private ClosedLoop.Operation leaseAlone(int inFlight) {
    var at = new int[inFlight];
    return ClosedLoop.Operation.of(
        worker -> leases.takeAndRelease(key(at, worker, inFlight)).invoke(this::got));
  }

  private ClosedLoop.Operation wholeTicket(int inFlight) {
    var at = new int[inFlight];
    return ClosedLoop.Operation.of(
        worker -> tickets.acquireAndRelease(due.get(key(at, worker, inFlight))).invoke(this::got));
  }

  private void got(boolean granted) {
    if (!granted) {
      throw new IllegalStateException("nobody else wants this lease, and yet it was not granted");
    }
  }

  private ClosedLoop.Operation theirs(RedissonClient redisson, int inFlight) {
    var at = new int[inFlight];
    var locks = locks(redisson, KEYS);
    return ClosedLoop.Operation.ofStage(
        worker -> lockAndUnlock(locks.get(key(at, worker, inFlight))).thenAccept(this::got));
  }

  private static int key(int[] at, int worker, int workers) {
    var keys = KEYS / workers;
    return worker * keys + at[worker]++ % keys;
  }

  private static List<RFencedLock> locks(RedissonClient redisson, int count) {
    var locks = new ArrayList<RFencedLock>();
    for (var i = 0; i < count; i++) {
      locks.add(redisson.getFencedLock("redisson:lock:" + i));
    }
    return locks;
  }

  /** Under an id of its own, because a thread may enter its own lock again. */
  private CompletionStage<Boolean> lockAndUnlock(RFencedLock lock) {
    var id = nextId.getAndIncrement();
    return lock.tryLockAsync(0, LEASE_SECONDS, TimeUnit.SECONDS, id)
        .thenCompose(
            granted ->
                granted
                    ? lock.unlockAsync(id).thenApply(released -> true)
                    : CompletableFuture.completedFuture(false));
  }

  private void contend(RedissonClient plain, RedissonClient tuned) {
    var turns =
        new Turns<Contended>()
            .side(
                LEASE,
                () ->
                    contended(
                        count ->
                            ClosedLoop.Operation.of(
                                worker ->
                                    leases
                                        .takeAndRelease(worker % CONTENDED_KEYS)
                                        .invoke(count::add))))
            .side(DEFAULT, () -> contended(theirsContended(plain)))
            .side(TUNED, () -> contended(theirsContended(tuned)))
            .play(scale.rounds());
    results.add(
        Line.of("lease-contended")
            .with("in flight", MOST_IN_FLIGHT)
            .with("keys", CONTENDED_KEYS)
            .with(LEASE + " tries/s", turns.spread(LEASE, Contended::triesPerSecond))
            .with(TUNED + " tries/s", turns.spread(TUNED, Contended::triesPerSecond))
            .with(DEFAULT + " tries/s", turns.spread(DEFAULT, Contended::triesPerSecond))
            .with(LEASE + " granted/s", turns.spread(LEASE, Contended::grantedPerSecond))
            .with(TUNED + " granted/s", turns.spread(TUNED, Contended::grantedPerSecond))
            .with(DEFAULT + " granted/s", turns.spread(DEFAULT, Contended::grantedPerSecond))
            .with("ratio of tries", turns.ratio(LEASE, TUNED, Contended::triesPerSecond)));
  }

  private java.util.function.Function<Count, ClosedLoop.Operation> theirsContended(
      RedissonClient redisson) {
    var locks = locks(redisson, CONTENDED_KEYS);
    return count ->
        ClosedLoop.Operation.ofStage(
            worker -> lockAndUnlock(locks.get(worker % CONTENDED_KEYS)).thenAccept(count::add));
  }

  /** How many tries were granted. */
  private static final class Count {
    private final AtomicLong granted = new AtomicLong();

    void add(boolean was) {
      if (was) {
        granted.incrementAndGet();
      }
    }
  }

  private record Contended(Round round, long granted) {
    double triesPerSecond() {
      return round.perSecond();
    }

    double grantedPerSecond() {
      return granted / round.seconds();
    }
  }

  private Contended contended(java.util.function.Function<Count, ClosedLoop.Operation> side) {
    var count = new Count();
    var round = ClosedLoop.run(wiring.vertx(), MOST_IN_FLIGHT, scale.round(), side.apply(count));
    return new Contended(round, count.granted.get());
  }

  /** By side: commands sent, and all that Redis ran for them. */
  private Map<String, double[]> commandsPerPair(RedissonClient redisson) {
    var locks = locks(redisson, KEYS);
    var theirs = perPair(i -> lockAndUnlock(locks.get(i)).toCompletableFuture().join());
    return Map.of(
        LEASE,
        perPair(i -> once(leases.takeAndRelease(i))),
        TICKET,
        perPair(i -> once(tickets.acquireAndRelease(due.get(i)))),
        DEFAULT,
        theirs,
        TUNED,
        theirs);
  }

  private void once(Uni<?> pair) {
    ClosedLoop.each(wiring.vertx(), 1, 1, i -> pair);
  }

  private double[] perPair(IntConsumer pair) {
    // Scripts are known and connections open before anyone watches.
    for (var i = 0; i < WATCHED_PAIRS; i++) {
      pair.accept(i);
    }
    var watched =
        Watched.during(
            stores,
            () -> {
              for (var i = 0; i < WATCHED_PAIRS; i++) {
                pair.accept(i);
              }
            });
    var beside = watched.sent("\"ping\"", "\"hello\"", "\"auth\"", "\"client\"", "\"script\"");
    var sent = watched.sent().size() - beside;
    return new double[] {
      (double) sent / WATCHED_PAIRS, (double) (sent + watched.inScripts()) / WATCHED_PAIRS
    };
  }

  /** The fastest of some settings at most in flight, found in this run. */
  private RedissonClient tuned() {
    var bestRate = 0.0;
    var best = new int[] {THREADS[0], POOLS[0]};
    for (var threads : THREADS) {
      for (var pool : POOLS) {
        var redisson = redisson(threads, pool);
        var pair = theirs(redisson, MOST_IN_FLIGHT);
        var turn = Duration.ofMillis(scale.round().toMillis() / 2);
        ClosedLoop.run(wiring.vertx(), MOST_IN_FLIGHT, turn, pair);
        var rate = ClosedLoop.run(wiring.vertx(), MOST_IN_FLIGHT, turn, pair).perSecond();
        redisson.shutdown();
        if (rate > bestRate) {
          bestRate = rate;
          best = new int[] {threads, pool};
        }
      }
    }
    results.add(
        Line.of("lease-tuning")
            .with("tried", THREADS.length * POOLS.length)
            .with("best Netty threads", best[0])
            .with("best pool size", best[1])
            .with("pairs/s", bestRate));
    return redisson(best[0], best[1]);
  }

  /** Zero leaves a setting at its default. */
  private RedissonClient redisson(int nettyThreads, int pool) {
    var config = new Config();
    var server =
        config
            .useSingleServer()
            .setAddress("redis://127.0.0.1:" + stores.redisPort())
            .setPassword(stores.redisPassword());
    if (nettyThreads > 0) {
      config.setNettyThreads(nettyThreads);
      server.setConnectionPoolSize(pool).setConnectionMinimumIdleSize(pool);
    }
    return Redisson.create(config);
  }
}
