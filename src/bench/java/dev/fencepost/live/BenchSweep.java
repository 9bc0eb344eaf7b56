package dev.fencepost.live;

import dev.fencepost.bench.Wiring;
import io.smallrye.mutiny.Uni;

/** Opens the door to the sweep of silent devices for measurements. */
public final class BenchSweep {

  private final HeartbeatSweep sweep;

  public BenchSweep(Wiring wiring) {
    sweep = wiring.get(HeartbeatSweep.class);
  }

  public Uni<Void> sweep() {
    return sweep.sweep();
  }
}
