package dev.fencepost.assessment;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The record of facts of one assessment; the only truth about it. Its JSON is the contract's.
 *
 * @param fencingToken the newest right to write, in microseconds of Redis time
 * @param staleWritesRefused how many writes by holders who were no longer holders were refused;
 *     last, because the fast filter keeps everything before it as one text
 */
@JsonPropertyOrder({
  "ticket_id",
  "asset_id",
  "status",
  "fencing_token",
  "attempts",
  "completed_steps",
  "last_failed_step",
  "last_error",
  "next_attempt_at",
  "online",
  "findings",
  "unevaluated",
  "verdict",
  "notifications",
  "created_at",
  "updated_at",
  "finished_at",
  "stale_writes_refused"
})
record Ticket(
    String ticketId,
    String assetId,
    long fencingToken,
    @JsonUnwrapped Progress progress,
    @JsonUnwrapped Facts facts,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant finishedAt,
    long staleWritesRefused) {

  Ticket with(Progress next, Facts known) {
    return new Ticket(
        ticketId,
        assetId,
        fencingToken,
        next,
        known,
        createdAt,
        updatedAt,
        finishedAt,
        staleWritesRefused);
  }

  Ticket with(Progress next) {
    return with(next, facts);
  }

  Ticket writtenAt(Instant now) {
    return new Ticket(
        ticketId,
        assetId,
        fencingToken,
        progress,
        facts,
        createdAt,
        now,
        isTerminal() ? now : null,
        staleWritesRefused);
  }

  TicketStatus status() {
    return progress.status();
  }

  boolean isTerminal() {
    return status().isTerminal();
  }
}
