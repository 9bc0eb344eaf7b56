package dev.fencepost.asset;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** What follows from a change that is stored: history has it, and listeners hear of it. */
@ApplicationScoped
class AssetChanges {

  private final AuditTrail trail;
  private final Callers callers;
  private final AssetListeners listeners;
  private final Entropy entropy;

  AssetChanges(AuditTrail trail, Callers callers, AssetListeners listeners, Entropy entropy) {
    this.trail = trail;
    this.callers = callers;
    this.listeners = listeners;
    this.entropy = entropy;
  }

  /** Tells history at once, and the listeners one after the other. */
  Uni<Void> tell(
      String action, String assetId, Map<String, String> details, RoutingContext request) {
    trail.append(
        new AuditEvent(action, "accepted", "asset", assetId, callers.origin(request), details));
    return listeners.tell(assetId);
  }

  /** To the millisecond, as answers show times: what is stored is then what was said. */
  Instant now() {
    return entropy.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
