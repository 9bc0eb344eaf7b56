package dev.fencepost.kernel.audit;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The real trail, with a window: which events were appended? */
@Alternative
@Priority(1)
@ApplicationScoped
public class WatchedTrail implements AuditTrail {

  private final SpooledAuditTrail real;
  private final List<AuditEvent> seen = new CopyOnWriteArrayList<>();

  WatchedTrail(SpooledAuditTrail real) {
    this.real = real;
  }

  @Override
  public void append(AuditEvent event) {
    seen.add(event);
    real.append(event);
  }

  /** What one request left. */
  public List<AuditEvent> of(String traceId) {
    return seen.stream().filter(event -> event.origin().trace().traceId().equals(traceId)).toList();
  }
}
