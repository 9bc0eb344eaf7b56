package dev.fencepost.kernel.audit;

import java.util.Map;

/**
 * Something that happened outside a script: a login, a refusal, an administrator's act.
 *
 * @param action e.g. {@code LOGIN_FAILED}
 * @param outcome {@code accepted}, or why it was refused
 * @param resourceType e.g. {@code user}
 * @param resourceId also chooses the lane
 * @param details whatever else is to be known; secrets are masked before they are kept
 */
public record AuditEvent(
    String action,
    String outcome,
    String resourceType,
    String resourceId,
    Origin origin,
    Map<String, String> details) {

  public AuditEvent {
    details = Map.copyOf(details);
  }
}
