package dev.fencepost.assessment;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The record of facts of one assessment; the only truth about it.
 *
 * @param fencingToken the newest right to write, in microseconds of Redis time
 * @param staleWritesRefused how many writes by holders who were no longer holders were refused
 */
record Ticket(
    String ticketId,
    String assetId,
    long fencingToken,
    Progress progress,
    Facts facts,
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
