package dev.fencepost.chaos;

import java.time.Duration;
import java.util.Optional;

/** What more than one test does. */
final class Scenarios {

  private Scenarios() {}

  /**
   * A process is stopped inside the vulnerability query and goes on, with its answer at hand, while
   * its successor is in the same query: the status would allow its write, only the fence does not.
   *
   * @return the ticket, which the successor is free to finish
   */
  static String wakeBesideSuccessor(Arena arena, Load load, ServiceProcess first, String asset) {
    var firstHold = arena.outside().holdNext("VULNERABILITY_QUERY");
    var secondHold = arena.outside().holdNext("VULNERABILITY_QUERY");
    load.assess(first, asset, 0);
    firstHold.awaitEntered();
    awaitOnline(arena, asset);
    first.stop();
    secondHold.awaitEntered();
    firstHold.release();
    Patience.pause(200);
    first.goOn();
    Patience.pause(400);
    secondHold.release();
    return ticketOf(arena, asset).orElseThrow().ticketId();
  }

  /** The online check runs beside the query; here it is over, and recorded. */
  static void awaitOnline(Arena arena, String asset) {
    Patience.until(
        asset + " is online",
        Duration.ofSeconds(10),
        () -> ticketOf(arena, asset).filter(t -> t.status().equals("ASSET_ONLINE")).isPresent());
  }

  static Optional<SeenTicket> ticketOf(Arena arena, String asset) {
    return arena.history().tickets().values().stream()
        .filter(ticket -> ticket.assetId().equals(asset))
        .findFirst();
  }
}
