package dev.fencepost.kernel.fence;

import dev.fencepost.bench.Wiring;
import io.smallrye.mutiny.Uni;

/** Opens the door to the keeper's tick for measurements. */
public final class BenchKeeper {

  private final LeaseKeeper keeper;

  public BenchKeeper(Wiring wiring) {
    keeper = wiring.get(LeaseKeeper.class);
  }

  /** Holds a lease until the work is cancelled, which it is when the lease is lost. */
  public void hold(Lease lease) {
    keeper.whileHeld(lease, Uni.createFrom().nothing()).subscribe().with(never -> {}, lost -> {});
  }

  /** One tick: renews everything that is held. */
  public Uni<Void> tick() {
    return keeper.renewAll();
  }

  public void giveUp() {
    keeper.handOverAll();
  }
}
