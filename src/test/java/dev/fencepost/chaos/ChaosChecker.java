package dev.fencepost.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads a history and says which promises it breaks. It knows nothing of the code it judges: its
 * table of edges is its own.
 */
final class ChaosChecker {

  private static final Map<String, List<String>> EDGES =
      Map.of(
          "INIT", List.of("ASSET_ONLINE", "ASSET_OFFLINE", "FAILED"),
          "ASSET_ONLINE", List.of("VULN_CHECK_DONE", "FAILED"),
          "ASSET_OFFLINE", List.of("FINISHED", "FAILED"),
          "VULN_CHECK_DONE", List.of("HIGH_RISK_FOUND", "NOTIFYING", "FINISHED", "FAILED"),
          "HIGH_RISK_FOUND", List.of("NOTIFYING", "FAILED"),
          "NOTIFYING", List.of("NOTIFIED", "FAILED"),
          "NOTIFIED", List.of("FINISHED", "FAILED"),
          "FINISHED", List.of(),
          "FAILED", List.of());

  private final History history;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, AssetTrack> assets = new HashMap<>();
  private final Map<String, TicketTrack> tickets = new HashMap<>();

  private ChaosChecker(History history) {
    this.history = history;
  }

  static List<Violation> check(History history) {
    var checker = new ChaosChecker(history);
    history.lanes().forEach(lane -> lane.forEach(checker::follow));
    history.tickets().values().forEach(checker::compare);
    new CallChecker(checker.tickets, checker.violations).check(history.calls());
    return List.copyOf(checker.violations);
  }

  private void follow(Event event) {
    if (!event.action().startsWith("TICKET_") && !event.isRefusal()) {
      return;
    }
    var seen = history.tickets().get(event.ticketId());
    if (seen == null) {
      broken("L1", event, "the ticket is gone");
      return;
    }
    var asset = assets.computeIfAbsent(seen.assetId(), id -> new AssetTrack());
    var ticket = tickets.computeIfAbsent(event.ticketId(), id -> new TicketTrack());
    switch (event.action()) {
      case "TICKET_OPENED" -> opened(event, asset, ticket);
      case "TICKET_RESUMED" -> resumed(event, asset, ticket);
      case "TICKET_RETRIED" -> retried(event, asset, ticket);
      case "TICKET_CORRECTED" -> corrected(event, asset, ticket);
      case "TICKET_RECORDED" -> recorded(event, asset, ticket);
      case "STALE_WRITE_REFUSED" -> refused(event, ticket);
      case "NOTIFICATION_SETTLED" -> {} // a person's word on a channel moves no status
      default -> moved(event, asset, ticket);
    }
  }

  private void opened(Event event, AssetTrack asset, TicketTrack ticket) {
    expect(ticket.status.isEmpty(), "S3", event, "opened twice");
    open(event, asset);
    grant(event, asset, ticket);
    ticket.move(event);
  }

  private void resumed(Event event, AssetTrack asset, TicketTrack ticket) {
    expect(!ticket.isEnded(), "S3", event, "resumed after its end at " + ticket.status);
    grant(event, asset, ticket);
  }

  private void retried(Event event, AssetTrack asset, TicketTrack ticket) {
    expect(ticket.status.equals("FAILED"), "S3", event, "retried at " + ticket.status);
    open(event, asset);
    ticket.move(event);
  }

  private void corrected(Event event, AssetTrack asset, TicketTrack ticket) {
    expect(ticket.status.equals(event.from()), "S3", event, "it was at " + ticket.status);
    grant(event, asset, ticket);
    ticket.move(event);
    asset.close(event.ticketId());
  }

  private void recorded(Event event, AssetTrack asset, TicketTrack ticket) {
    admitted(event, asset, ticket);
    expect(ticket.status.equals(event.to()), "S3", event, "it was at " + ticket.status);
    ticket.intended(event);
  }

  private void moved(Event event, AssetTrack asset, TicketTrack ticket) {
    admitted(event, asset, ticket);
    expect(event.action().equals("TICKET_" + event.to()), "S8", event, "says " + event.to());
    expect(ticket.status.equals(event.from()), "S3", event, "it was at " + ticket.status);
    expect(
        EDGES.getOrDefault(event.from(), List.of()).contains(event.to()),
        "S3",
        event,
        "no such edge: " + event.from() + " > " + event.to());
    ticket.move(event);
    ticket.intended(event);
    if (ticket.isEnded()) {
      asset.close(event.ticketId());
    }
  }

  /** The heart: was the writer the one who was granted the newest right? */
  private void admitted(Event event, AssetTrack asset, TicketTrack ticket) {
    expect(!ticket.isEnded(), "S3", event, "written after its end at " + ticket.status);
    expect(event.token() >= asset.newestToken, "S1", event, "accepted after " + asset.newestToken);
    expect(
        event.token() == ticket.newestToken(), "S1", event, "the right is " + ticket.newestToken());
    expect(event.holder().equals(ticket.holder), "S1", event, "the right is with " + ticket.holder);
  }

  private void refused(Event event, TicketTrack ticket) {
    ticket.refusals++;
    expect(
        event.newestToken() == ticket.newestToken(), "S8", event, "it is " + ticket.newestToken());
    expect(
        !event.outcome().equals("STALE_TOKEN") || event.token() < event.newestToken(),
        "S8",
        event,
        "refused although it is the newest right");
    expect(
        !event.outcome().equals("ILLEGAL_TRANSITION"), "S3", event, "the rightful holder is lost");
    expect(
        ticket.refusedHolders.add(event.holder()), "S8", event, "this holder was refused before");
  }

  private void open(Event event, AssetTrack asset) {
    expect(asset.open.isEmpty(), "S4", event, "its asset has the unfinished " + asset.open);
    asset.open = event.ticketId();
  }

  private void grant(Event event, AssetTrack asset, TicketTrack ticket) {
    expect(
        event.token() > asset.newestToken, "S2", event, "does not rise over " + asset.newestToken);
    asset.newestToken = Math.max(asset.newestToken, event.token());
    ticket.grants.add(event.token());
    ticket.holder = event.holder();
  }

  private void compare(SeenTicket seen) {
    var told = tickets.get(seen.ticketId());
    if (told == null) {
      violations.add(new Violation("S8", seen + " has no history"));
      return;
    }
    agrees(seen, "status", told.status, seen.status());
    agrees(seen, "token", told.newestToken(), seen.token());
    agrees(seen, "number of facts", told.facts, seen.facts());
    agrees(seen, "number of refusals", told.refusals, seen.refused());
    if (!told.isEnded() || seen.inAgenda()) {
      violations.add(new Violation("L1", seen + " has not come to an end"));
    }
  }

  private void agrees(SeenTicket seen, String what, Object history, Object ticket) {
    if (!history.equals(ticket)) {
      violations.add(
          new Violation("S8", seen + ": by its history, the " + what + " is " + history));
    }
  }

  private void expect(boolean holds, String invariant, Event event, String otherwise) {
    if (!holds) {
      broken(invariant, event, otherwise);
    }
  }

  private void broken(String invariant, Event event, String why) {
    violations.add(new Violation(invariant, event.fields() + ": " + why));
  }

  /** How often each invariant is broken. */
  static Map<String, Long> summary(List<Violation> violations) {
    return violations.stream()
        .collect(Collectors.groupingBy(Violation::invariant, Collectors.counting()));
  }

  /** One line per violation, for a test that fails. */
  static String describe(List<Violation> violations) {
    Function<Violation, String> line = v -> v.invariant() + " " + v.what();
    return violations.stream().map(line).limit(20).collect(Collectors.joining("\n"));
  }
}
