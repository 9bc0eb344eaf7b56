package dev.fencepost.assessment;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.Unevaluated;
import dev.fencepost.assessment.notification.Notification;
import dev.fencepost.assessment.probe.Online;
import dev.fencepost.assessment.risk.Verdict;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A ticket as clients see it.
 *
 * @param staleWritesRefused last, because the fast filter keeps everything before it as one text
 */
@Schema(name = "Ticket")
record TicketAnswer(
    String ticketId,
    String assetId,
    TicketStatus status,
    long fencingToken,
    int attempts,
    List<Step> completedSteps,
    @Nullable Step lastFailedStep,
    @Nullable String lastError,
    @Nullable Instant nextAttemptAt,
    @Nullable Online online,
    List<Finding> findings,
    List<Unevaluated> unevaluated,
    @Nullable Verdict verdict,
    List<Notification> notifications,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant finishedAt,
    long staleWritesRefused) {

  static TicketAnswer of(Ticket ticket) {
    var progress = ticket.progress();
    var facts = ticket.facts();
    return new TicketAnswer(
        ticket.ticketId(),
        ticket.assetId(),
        progress.status(),
        ticket.fencingToken(),
        progress.attempts(),
        progress.completedSteps(),
        progress.lastFailedStep(),
        progress.lastError(),
        progress.nextAttemptAt(),
        facts.online(),
        facts.findings(),
        facts.unevaluated(),
        facts.verdict(),
        facts.notifications(),
        ticket.createdAt(),
        ticket.updatedAt(),
        ticket.finishedAt(),
        ticket.staleWritesRefused());
  }
}
