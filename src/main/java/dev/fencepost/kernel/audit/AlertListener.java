package dev.fencepost.kernel.audit;

import io.smallrye.mutiny.Uni;

/** Someone who tells people of alerts. */
public interface AlertListener {

  /** Tells. A failure means that nobody was told: the alert is told again later. */
  Uni<Void> tell(Alert alert);
}
