package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.RecordedEvent;
import java.time.Duration;
import java.util.Optional;

/** So many events of an action, and perhaps an outcome, of one subject within a window. */
record AlertRule(
    String name, String action, Optional<String> outcome, int count, Duration window, Per per) {

  /** Whose events are counted together. */
  enum Per {
    USER("user_id"),
    ADDRESS("ip_address"),
    RESOURCE("resource_id");

    final String column;

    Per(String column) {
      this.column = column;
    }

    Optional<String> of(RecordedEvent event) {
      return switch (this) {
        case USER -> Optional.ofNullable(event.userId());
        case ADDRESS -> Optional.ofNullable(event.ipAddress());
        case RESOURCE -> Optional.of(event.resourceId());
      };
    }
  }

  AlertRule {
    if (count < 1 || window.isNegative() || window.isZero()) {
      throw new IllegalStateException(
          "fencepost.audit.alerts.%s needs a count from 1 and a window".formatted(name));
    }
  }

  static AlertRule of(String name, AuditSettings.Alerting configured) {
    return new AlertRule(
        name,
        configured.action(),
        configured.outcome(),
        configured.count(),
        configured.window(),
        per(name, configured.per()));
  }

  private static Per per(String name, String text) {
    for (var per : Per.values()) {
      if (per.name().equalsIgnoreCase(text.strip())) {
        return per;
      }
    }
    throw new IllegalStateException(
        "fencepost.audit.alerts.%s.per must be user, address or resource, but was %s"
            .formatted(name, text));
  }

  /** Whose count the event raises. */
  Optional<String> subjectOf(RecordedEvent event) {
    return action.equals(event.action()) && outcome.map(event.outcome()::equals).orElse(true)
        ? per.of(event)
        : Optional.empty();
  }
}
