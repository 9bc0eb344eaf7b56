package dev.fencepost.assessment;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.platform.telemetry.LogFacts;
import dev.fencepost.platform.telemetry.Trace;

/**
 * One holder's execution of one ticket: its right to write, the facts as of its last write, and the
 * trace they belong to.
 *
 * @param deaths how many holders in a row died over this ticket before this one
 */
record Run(Lease lease, Ticket ticket, Trace trace, int deaths) {

  /** The identity of what this run does to the outside for one step or channel. */
  Effect effect(String stepOrChannel) {
    return new Effect(ticket.ticketId() + ":" + stepOrChannel, lease.token(), trace.traceparent());
  }

  /** What every log line about this run carries. */
  LogFacts facts() {
    return lease.facts().trace(trace).ticket(ticket.ticketId()).device(ticket.assetId());
  }

  Run with(Ticket written) {
    return new Run(lease, written, trace, deaths);
  }

  TicketStatus status() {
    return ticket.status();
  }
}
