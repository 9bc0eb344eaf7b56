package dev.fencepost.kernel.audit;

/** Takes events that happen outside scripts. Scripts append theirs beside the facts they change. */
public interface AuditTrail {

  /** Takes an event without waiting for any store; it is never dropped silently. */
  void append(AuditEvent event);
}
