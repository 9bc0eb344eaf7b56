package dev.fencepost.assessment;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.platform.telemetry.LogFacts;
import java.util.List;

/** Where everything about one ticket and its asset lies in Redis. See docs/keyspace.md. */
record TicketKeys(Lane lane, String assetId, String ticketId) {

  private static final String FEATURE = "assessment";

  /** The agenda's member. Ids hold no blank, so it can be taken apart again. */
  String entry() {
    return ticketId + " " + assetId;
  }

  static TicketKeys ofEntry(Lane lane, String entry) {
    var blank = entry.indexOf(' ');
    return new TicketKeys(lane, entry.substring(blank + 1), entry.substring(0, blank));
  }

  /** What log lines about an entry carry, even if it cannot be taken apart. */
  static LogFacts facts(Lane lane, String entry) {
    if (entry.indexOf(' ') < 0) {
      return lane.facts();
    }
    var keys = ofEntry(lane, entry);
    return lane.facts().ticket(keys.ticketId).device(keys.assetId);
  }

  String ticket() {
    return lane.key(FEATURE, "ticket", ticketId);
  }

  String refused() {
    return lane.key(FEATURE, "refused", ticketId);
  }

  String asset() {
    return lane.key(FEATURE, "asset", assetId);
  }

  String lease() {
    return lane.key(FEATURE, "lease", assetId);
  }

  String fresh() {
    return lane.key(FEATURE, "fresh", assetId);
  }

  /** What a script that moves a ticket on or ends it needs, in its order. */
  List<String> forWriting() {
    return List.of(ticket(), lease(), refused(), audit(), agenda(), asset(), fresh());
  }

  String agenda() {
    return agenda(lane);
  }

  String recent() {
    return recent(lane);
  }

  String audit() {
    return lane.key("audit", "events");
  }

  static String agenda(Lane lane) {
    return lane.key(FEATURE, "agenda");
  }

  static String recent(Lane lane) {
    return lane.key(FEATURE, "recent");
  }
}
