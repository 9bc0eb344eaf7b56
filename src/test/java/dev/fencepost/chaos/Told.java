package dev.fencepost.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A history made by hand, line by line, for the checker's own tests. */
final class Told {

  static final String TICKET = "t0-1";
  private static final String ASSET = "asset-1";

  private final List<Event> lane = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final Map<String, SeenTicket> tickets = new HashMap<>();
  private long clock = 1_000;

  /** One holder, from the first request to the last write, and nothing unusual. */
  static Told goodDay() {
    return new Told().opened(TICKET, 10, "a/1").path(10, "a/1", "INIT", "ASSET_ONLINE").rest(10);
  }

  /** The holder with this token goes on from ASSET_ONLINE to the end, and the webhook is called. */
  Told rest(long token) {
    var holder = holderOf(token);
    return path(token, holder, "ASSET_ONLINE", "VULN_CHECK_DONE", "HIGH_RISK_FOUND", "NOTIFYING")
        .called(TICKET + ":ops", token)
        .path(token, holder, "NOTIFYING", "NOTIFIED", "FINISHED")
        .seen(TICKET, "FINISHED", token, 7, 0);
  }

  private static String holderOf(long token) {
    return token == 10 ? "a/1" : "b/" + token;
  }

  Told opened(String ticket, long token, String holder) {
    return event(ticket, "TICKET_OPENED", token, holder, Map.of("to", "INIT"));
  }

  Told resumed(long token) {
    return event(TICKET, "TICKET_RESUMED", token, holderOf(token), Map.of());
  }

  Told retried(long token, String to) {
    return event(TICKET, "TICKET_RETRIED", token, "", Map.of("from", "FAILED", "to", to));
  }

  Told corrected(long token, String from, String to) {
    return event(TICKET, "TICKET_CORRECTED", token, "", Map.of("from", from, "to", to));
  }

  Told recorded(long token, String holder, String at) {
    return event(TICKET, "TICKET_RECORDED", token, holder, Map.of("to", at));
  }

  Told path(long token, String holder, String... statuses) {
    for (var i = 1; i < statuses.length; i++) {
      event(
          TICKET,
          "TICKET_" + statuses[i],
          token,
          holder,
          Map.of("from", statuses[i - 1], "to", statuses[i]));
    }
    return this;
  }

  Told refused(long token, long newest, String holder, String outcome) {
    return event(
        TICKET,
        "STALE_WRITE_REFUSED",
        token,
        holder,
        Map.of("newest_token", Long.toString(newest), "outcome", outcome));
  }

  Told called(String key, long token) {
    calls.add(new Call(key, token, ++clock));
    return this;
  }

  /** What the ticket itself says, at the end; a later word counts. */
  Told seen(String ticket, String status, long token, long facts, long refused) {
    tickets.put(ticket, new SeenTicket(ticket, ASSET, status, token, facts, refused, false));
    return this;
  }

  Told stillInAgenda() {
    tickets.computeIfPresent(
        TICKET,
        (id, t) ->
            new SeenTicket(id, t.assetId(), t.status(), t.token(), t.facts(), t.refused(), true));
    return this;
  }

  Told gone() {
    tickets.remove(TICKET);
    return this;
  }

  History history() {
    return new History(List.of(List.copyOf(lane)), Map.copyOf(tickets), List.copyOf(calls));
  }

  private Told event(
      String ticket, String action, long token, String holder, Map<String, String> more) {
    var fields = new HashMap<>(more);
    fields.put("resource_id", ticket);
    fields.put("action", action);
    fields.put("fencing_token", Long.toString(token));
    fields.put("holder", holder);
    lane.add(new Event(++clock, fields));
    return this;
  }
}
