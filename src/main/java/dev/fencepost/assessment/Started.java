package dev.fencepost.assessment;

/** What asking for an assessment came to. */
sealed interface Started {

  /** A ticket that runs, or waits to; or has ended, if an earlier attempt has opened it. */
  record Unfinished(Ticket ticket) implements Started {}

  /** What is known already: the JSON of a finished ticket that is fresh. */
  record Known(String json) implements Started {}
}
