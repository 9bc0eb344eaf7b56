package dev.fencepost.assessment;

import dev.fencepost.platform.http.Refused;
import org.jspecify.annotations.Nullable;

/**
 * A person's word against the ticket's.
 *
 * @param status FINISHED or FAILED
 * @param reason why, for the events; 1 to 500 characters
 */
record Correction(@Nullable TicketStatus status, @Nullable String reason) {

  /** A correction that can be carried out. */
  record Valid(TicketStatus status, String reason) {}

  static Valid valid(@Nullable Correction wanted) {
    if (wanted == null || wanted.status == null || !wanted.status.isTerminal()) {
      throw Refused.field("status", "must be FINISHED or FAILED");
    }
    return new Valid(wanted.status, Reason.require(wanted.reason));
  }
}
