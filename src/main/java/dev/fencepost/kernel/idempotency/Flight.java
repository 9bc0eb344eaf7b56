package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.audit.Origin;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;

/** A request under way with a key that it has claimed. */
final class Flight {

  final Claim claim;
  final Origin origin;
  private final CompletableFuture<Void> landed = new CompletableFuture<>();

  Flight(Claim claim, Origin origin) {
    this.claim = claim;
    this.origin = origin;
  }

  /** The work as the keeper sees it: it lasts until the answer is stored, or given up. */
  Uni<Void> work() {
    return Uni.createFrom().completionStage(landed);
  }

  void land() {
    landed.complete(null);
  }
}
