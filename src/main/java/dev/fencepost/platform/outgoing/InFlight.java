package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.BROKEN;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The bound on what is under way through one door. Beyond it, work is refused, not queued. */
final class InFlight {

  private final int most;
  private final AtomicInteger current = new AtomicInteger();

  InFlight(int most) {
    this.most = most;
  }

  <T> Uni<T> admit(Supplier<Uni<T>> work) {
    return Uni.createFrom()
        .deferred(
            () -> {
              if (current.incrementAndGet() > most) {
                current.decrementAndGet();
                return Uni.createFrom().failure(full());
              }
              return Uni.createFrom().deferred(work::get).onTermination().invoke(leaveOnce());
            });
  }

  int current() {
    return current.get();
  }

  // An item and a cancellation may both be told; the place is given back once.
  private Runnable leaveOnce() {
    var left = new AtomicBoolean();
    return () -> {
      if (left.compareAndSet(false, true)) {
        current.decrementAndGet();
      }
    };
  }

  private Unreachable full() {
    return new Unreachable(
        BROKEN, "more than " + most + " requests to the outside are in flight here", false);
  }
}
