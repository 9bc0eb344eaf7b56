package dev.fencepost.chaos;

import java.util.List;
import java.util.Map;

/**
 * All that can be known afterwards.
 *
 * @param lanes the events of each lane, oldest first
 * @param tickets by their id
 * @param calls of the webhook, in the order of arrival
 */
record History(List<List<Event>> lanes, Map<String, SeenTicket> tickets, List<Call> calls) {

  long refusals() {
    return lanes.stream().flatMap(List::stream).filter(Event::isRefusal).count();
  }

  /** Calls beyond the first of a ticket: legal after a holder died while it was sending. */
  long repeats() {
    return calls.size() - calls.stream().map(Call::key).distinct().count();
  }

  long countOf(String status) {
    return tickets.values().stream().filter(ticket -> ticket.status().equals(status)).count();
  }
}
