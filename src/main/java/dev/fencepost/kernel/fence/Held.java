package dev.fencepost.kernel.fence;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lease while its holder works: until when it is good, and the signal that it is not. */
final class Held {

  final Lease lease;
  final long heldSinceNanos;
  private volatile long goodUntilNanos;
  private final AtomicReference<@Nullable LeaseLost> lost = new AtomicReference<>();
  private volatile @Nullable UniEmitter<? super Object> alarm;

  Held(Lease lease, long nowNanos, long goodUntilNanos) {
    this.lease = lease;
    this.heldSinceNanos = nowNanos;
    this.goodUntilNanos = goodUntilNanos;
  }

  void goodUntil(long nanos) {
    goodUntilNanos = nanos;
  }

  long nanosLeft(long nowNanos) {
    return goodUntilNanos - nowNanos;
  }

  void lose(LeaseLost why) {
    lost.compareAndSet(null, why);
    ring();
  }

  /** Fails when the lease is lost; never has an item. */
  <T> Uni<T> loss() {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              alarm = erase(emitter);
              ring();
            });
  }

  private void ring() {
    var why = lost.get();
    var listener = alarm;
    if (why != null && listener != null) {
      listener.fail(why);
    }
  }

  @SuppressWarnings("unchecked") // only ever fails, so its item type does not matter
  private static <T> UniEmitter<? super Object> erase(UniEmitter<? super T> emitter) {
    return (UniEmitter<? super Object>) emitter;
  }
}
