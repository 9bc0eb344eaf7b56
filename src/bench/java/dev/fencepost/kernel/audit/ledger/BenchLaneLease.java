package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.bench.Wiring;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lease;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * Opens the door to the projector's lease for measurements: a lock and a rising token and nothing
 * else, which is what a fenced lock is.
 */
public final class BenchLaneLease {

  private final LaneStream stream;

  public BenchLaneLease(Wiring wiring) {
    stream = wiring.get(LaneStream.class);
  }

  /** Takes and, if that was granted, releases. */
  public Uni<Boolean> takeAndRelease(int key) {
    return take(key)
        .flatMap(
            held ->
                held.isEmpty()
                    ? Uni.createFrom().item(false)
                    : stream.release(held.get()).replaceWith(true));
  }

  private Uni<Optional<Lease>> take(int key) {
    return stream.take(new Lane(key));
  }
}
