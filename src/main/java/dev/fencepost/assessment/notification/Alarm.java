package dev.fencepost.assessment.notification;

import dev.fencepost.assessment.advisory.Finding;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people are told.
 *
 * @param ticketId also the short number by which a person sees that two messages are the same
 * @param reasons why the verdict is what it is
 * @param findings all of them; a text shows the worst
 * @param createdAt when the ticket was opened
 */
public record Alarm(
    String ticketId,
    String assetId,
    @Nullable String displayName,
    Level level,
    List<String> reasons,
    List<Finding> findings,
    Instant createdAt) {

  /** The verdicts that somebody is told of. */
  public enum Level {
    HIGH,
    /** A finding could not be scored: someone must look. */
    UNKNOWN,
    /** No asset: too many events of one kind. The asset is then whoever they are of. */
    ALERT
  }

  public Alarm {
    reasons = List.copyOf(reasons);
    findings = List.copyOf(findings);
  }
}
