package dev.fencepost.chaos;

import dev.fencepost.RedisByHand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads back what the service has left in Redis, without asking the service. */
final class HistoryReader {

  private static final int PAGE = 1000;

  private HistoryReader() {}

  static History read(ChaosRedis redis, int lanes, List<Call> calls) {
    var events = new ArrayList<List<Event>>();
    var tickets = new HashMap<String, SeenTicket>();
    for (var lane = 0; lane < lanes; lane++) {
      var ofLane = events(redis, "audit:{" + lane + "}:events");
      events.add(ofLane);
      var agenda = agenda(redis, lane);
      for (var event : ofLane) {
        if (event.action().equals("TICKET_OPENED")) {
          var ticket = ticket(redis, lane, event.ticketId(), agenda);
          if (ticket != null) {
            tickets.put(event.ticketId(), ticket);
          }
        }
      }
    }
    return new History(events, tickets, calls);
  }

  private static List<Event> events(ChaosRedis redis, String stream) {
    var events = new ArrayList<Event>();
    var after = "-";
    while (true) {
      var page =
          (List<?>) redis.send("XRANGE", stream, after, "+", "COUNT", Integer.toString(PAGE));
      for (var entry : page) {
        var id = ((List<?>) entry).get(0).toString();
        var millis = Long.parseLong(id.substring(0, id.indexOf('-')));
        events.add(new Event(millis, RedisByHand.pairs(((List<?>) entry).get(1))));
        after = "(" + id;
      }
      if (page.size() < PAGE) {
        return events;
      }
    }
  }

  private static Set<String> agenda(ChaosRedis redis, int lane) {
    var entries = (List<?>) redis.send("ZRANGE", "assessment:{" + lane + "}:agenda", "0", "-1");
    var ids = new HashSet<String>();
    entries.forEach(entry -> ids.add(entry.toString().split(" ")[0]));
    return ids;
  }

  /** Null if it is gone. */
  private static SeenTicket ticket(ChaosRedis redis, int lane, String id, Set<String> agenda) {
    Map<String, String> hash =
        RedisByHand.pairs(redis.send("HGETALL", "assessment:{" + lane + "}:ticket:" + id));
    if (hash.isEmpty()) {
      return null;
    }
    var refused = redis.send("SCARD", "assessment:{" + lane + "}:refused:" + id);
    return new SeenTicket(
        id,
        hash.get("asset_id"),
        hash.get("status"),
        Long.parseLong(hash.get("fencing_token")),
        Long.parseLong(hash.get("facts")),
        (Long) refused,
        agenda.contains(id));
  }
}
