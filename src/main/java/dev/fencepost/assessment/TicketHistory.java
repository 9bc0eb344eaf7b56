package dev.fencepost.assessment;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Every status a ticket has been in, and the ticket as it stands. */
record TicketHistory(Ticket ticket, List<Fact> facts) {

  /**
   * One recorded status.
   *
   * @param sequence counts from 1 within the ticket
   */
  record Fact(
      int sequence, String ticketId, TicketStatus status, Instant recordedAt, long fencingToken) {}

  static TicketHistory of(Ticket ticket, Map<String, String> hash) {
    var count = Integer.parseInt(hash.getOrDefault("facts", "0"));
    var facts =
        IntStream.rangeClosed(1, count)
            .mapToObj(n -> fact(ticket.ticketId(), n, hash.getOrDefault("fact:" + n, "")))
            .toList();
    return new TicketHistory(ticket, facts);
  }

  /** Scripts write a fact as {@code <status> <time> <token>}. */
  private static Fact fact(String ticketId, int sequence, String text) {
    var parts = text.split(" ", 3);
    return new Fact(
        sequence,
        ticketId,
        TicketStatus.valueOf(parts[0]),
        Instant.parse(parts[1]),
        Long.parseLong(parts[2]));
  }
}
