package dev.fencepost.assessment;

/** What came of asking for a ticket. */
sealed interface Opening {

  /** A new ticket, and the right to run it now. */
  record Opened(Run run) implements Opening {}

  /** A new ticket, left to the sweeper because too much runs here. */
  record Queued(Ticket ticket) implements Opening {}

  /** The asset has an unfinished ticket already, or this request has opened one before. */
  record Joined(String ticketId) implements Opening {}

  /** The asset has a finished ticket that is fresh; this is its JSON. */
  record Fresh(String json) implements Opening {}
}
