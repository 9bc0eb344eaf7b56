package dev.fencepost.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Judges what reached the webhook (S5). What can be promised is this, and not more: a request that
 * left in time may arrive late, because its sender's machine or the network stood still in between;
 * the receiver knows it by its token. So a late call is not a violation (see {@link #late}), but
 * every one of these is:
 *
 * <ul>
 *   <li>another key for the same ticket and channel;
 *   <li>a token that was never granted for the ticket;
 *   <li>a call that was not written down, under that very token, before it was made;
 *   <li>a second call under the same token: each further attempt is a new right;
 *   <li>a call under a right that was granted after the outcome had been recorded;
 *   <li>a ticket that says someone was told, without a call under the token that says so.
 * </ul>
 */
final class CallChecker {

  private static final String INVARIANT = "S5";

  private final Map<String, TicketTrack> tickets;
  private final List<Violation> violations;

  CallChecker(Map<String, TicketTrack> tickets, List<Violation> violations) {
    this.tickets = tickets;
    this.violations = violations;
  }

  void check(List<Call> calls) {
    var keys = new HashMap<String, String>();
    var made = new HashSet<String>();
    for (var call : calls) {
      var ticket = tickets.get(call.ticketId());
      if (ticket == null) {
        broken(call + " belongs to no ticket");
        continue;
      }
      var first = keys.putIfAbsent(call.ticketId(), call.key());
      expect(first == null || first.equals(call.key()), call + ": the key was " + first);
      expect(made.add(made(call.ticketId(), call.token())), call + ": a second time");
      rightful(call, ticket);
    }
    tickets.forEach(
        (id, ticket) ->
            ticket.told.forEach(
                (token, at) ->
                    expect(made.contains(made(id, token)), id + " was told of with no call")));
  }

  private void rightful(Call call, TicketTrack ticket) {
    expect(ticket.grants.contains(call.token()), call + ": the token was never granted");
    var intention = ticket.intentions.get(call.token());
    expect(
        intention != null && intention <= call.atMillis(), call + ": was not written down before");
    expect(
        ticket.retried || ticket.told.keySet().stream().noneMatch(told -> call.token() > told),
        call + ": sent again although its outcome is recorded");
  }

  /** Calls that arrived after one with a newer token: their sender stood still in between. */
  static long late(List<Call> calls) {
    var newest = new HashMap<String, Long>();
    return calls.stream()
        .filter(call -> call.token() < newest.merge(call.key(), call.token(), Math::max))
        .count();
  }

  private static String made(String ticketId, long token) {
    return ticketId + " " + token;
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      broken(otherwise);
    }
  }

  private void broken(String what) {
    violations.add(new Violation(INVARIANT, what));
  }
}
