package dev.fencepost.platform.lifecycle;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether this process takes up work. It closes once, at the very beginning of a stop: before
 * requests in flight are waited for, so that nothing new hides behind them.
 */
@ApplicationScoped
public class Intake {

  private final Set<UniEmitter<? super Void>> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean open = true;

  public boolean isOpen() {
    return open;
  }

  /** Completes when the intake closes, for those who wait on behalf of a client. */
  public Uni<Void> closed() {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              waiting.add(emitter);
              emitter.onTermination(() -> waiting.remove(emitter));
              if (!open) {
                emitter.complete(null);
              }
            });
  }

  void close(@Observes ShutdownDelayInitiatedEvent stopping) {
    open = false;
    waiting.forEach(emitter -> emitter.complete(null));
  }
}
