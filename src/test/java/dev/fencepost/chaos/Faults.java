package dev.fencepost.chaos;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** Draws one fault after the other, and counts them. */
final class Faults {

  /** What can go wrong. */
  enum Fault {
    KILL,
    STALL,
    STALL_TWO,
    REDIS_STOPPED,
    REDIS_PAUSED,
    REDIS_RESTARTED,
    SCRIPTS_FORGOTTEN,
    CONNECTIONS_CUT,
    ONE_CUT,
    ONE_STALLED,
    REPLIES_LOST
  }

  private static final int LEASE_MS = (int) Arena.LEASE.toMillis();
  private static final int FLUSHES = 20;

  private final Arena arena;
  private final Random random;
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

  Faults(Arena arena, Random random) {
    this.arena = arena;
    this.random = random;
  }

  int kills() {
    return counts.getOrDefault(Fault.KILL, 0);
  }

  int stalls() {
    return counts.getOrDefault(Fault.STALL, 0) + 2 * counts.getOrDefault(Fault.STALL_TWO, 0);
  }

  /** One fault from its beginning to its end, and a moment of peace. */
  void next() {
    var fault = Fault.values()[random.nextInt(Fault.values().length)];
    counts.merge(fault, 1, Integer::sum);
    var victim = arena.replicas().get(random.nextInt(arena.replicas().size()));
    var other = arena.replicas().get((arena.replicas().indexOf(victim) + 1) % 3);
    var millis = LEASE_MS + random.nextInt(LEASE_MS);
    inflict(fault, victim, other, millis);
    Patience.pause(random.nextInt(1_000));
  }

  private void inflict(Fault fault, ServiceProcess victim, ServiceProcess other, int millis) {
    switch (fault) {
      case KILL -> victim.killAndReplace();
      case STALL -> stall(millis, victim);
      case STALL_TWO -> stall(millis, victim, other);
      case REDIS_STOPPED -> stopRedis(millis);
      case REDIS_PAUSED -> arena.redis().send("CLIENT", "PAUSE", Integer.toString(millis / 2));
      case REDIS_RESTARTED -> arena.redis().restart(random.nextInt(LEASE_MS));
      case SCRIPTS_FORGOTTEN -> forgetScripts();
      case CONNECTIONS_CUT -> arena.redis().send("CLIENT", "KILL", "TYPE", "normal");
      case ONE_CUT -> arena.proxyOf(victim).cut();
      case ONE_STALLED -> arena.proxyOf(victim).stall(millis);
      case REPLIES_LOST -> arena.proxyOf(victim).loseReplies(random.nextInt(LEASE_MS));
    }
  }

  private static void stall(int millis, ServiceProcess... victims) {
    for (var victim : victims) {
      victim.stop();
    }
    Patience.pause(millis);
    for (var victim : victims) {
      victim.goOn();
    }
  }

  private void stopRedis(int millis) {
    arena.redis().signal(Signal.STOP);
    Patience.pause(millis);
    arena.redis().signal(Signal.CONT);
  }

  private void forgetScripts() {
    for (var i = 0; i < FLUSHES; i++) {
      arena.redis().send("SCRIPT", "FLUSH");
      Patience.pause(random.nextInt(100));
    }
  }

  /** Every replica is there again. */
  void end() {
    arena.replicas().forEach(ServiceProcess::awaitReady);
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
