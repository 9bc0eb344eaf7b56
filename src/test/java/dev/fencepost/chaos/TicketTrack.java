package dev.fencepost.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the events so far say of a ticket. */
final class TicketTrack {

  private static final Set<String> ENDS = Set.of("FINISHED", "FAILED");

  /** Empty before it was opened. */
  String status = "";

  /** Who has the newest right to write. */
  String holder = "";

  /** How many statuses it has been in. */
  long facts;

  long refusals;
  final Set<String> refusedHolders = new HashSet<>();

  /** Every right to write that was granted for it, oldest first. */
  final List<Long> grants = new ArrayList<>();

  /** By token, when its holder first wrote down that it is going to notify. */
  final Map<Long, Long> intentions = new HashMap<>();

  /** By token, when its holder wrote down that someone was told; at most one unless retried. */
  final Map<Long, Long> told = new HashMap<>();

  boolean retried;

  long newestToken() {
    return grants.isEmpty() ? 0 : grants.get(grants.size() - 1);
  }

  boolean isEnded() {
    return ENDS.contains(status);
  }

  void move(Event event) {
    status = event.to();
    facts++;
    retried |= event.action().equals("TICKET_RETRIED");
    if (status.equals("NOTIFIED")) {
      told.put(event.token(), event.atMillis());
    }
  }

  void intended(Event event) {
    if (status.equals("NOTIFYING")) {
      intentions.putIfAbsent(event.token(), event.atMillis());
    }
  }
}
