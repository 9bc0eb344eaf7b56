package dev.fencepost.assessment;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import dev.fencepost.assessment.advisory.Severity;
import dev.fencepost.bench.Wiring;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Opens the door to the ticket store for measurements: the same calls as the service makes. */
public final class BenchTickets {

  private final TicketStore tickets;
  private final TicketHash hash;
  private final Lanes lanes;
  private final LeaseKeeper keeper;
  private final Entropy entropy;

  public BenchTickets(Wiring wiring) {
    tickets = wiring.get(TicketStore.class);
    hash = wiring.get(TicketHash.class);
    lanes = wiring.get(Lanes.class);
    keeper = wiring.get(LeaseKeeper.class);
    entropy = wiring.get(Entropy.class);
  }

  /** A ticket that waits in its agenda for a holder. */
  public record Due(Lane lane, String entry) {}

  /** A holder at work. */
  public static final class Working {
    private final Run run;

    private Working(Run run) {
      this.run = run;
    }

    public Lease lease() {
      return run.lease();
    }

    public String ticketKey() {
      return TicketKeys.ofEntry(run.lease().lane(), run.lease().subject()).ticket();
    }

    public String auditKey() {
      return TicketKeys.ofEntry(run.lease().lane(), run.lease().subject()).audit();
    }
  }

  /** Opens a ticket that nobody runs yet. */
  public Uni<Due> queue(String assetId) {
    return tickets
        .open(assetId, entropy.freshId(), origin(), false, true)
        .map(
            opening ->
                new Due(
                    lanes.of(assetId),
                    ((Opening.Queued) opening).ticket().ticketId() + " " + assetId));
  }

  /** Acquire: lease, token and all facts of a due ticket; empty if another holder is at work. */
  public Uni<Optional<Working>> acquire(Due due) {
    return tickets.acquire(due.lane(), due.entry()).map(run -> run.map(Working::new));
  }

  /** Release: the ticket is given back and due again at once. */
  public Uni<?> release(Working working) {
    return tickets.letGo(working.run, working.run.ticket().progress().uncounted());
  }

  /** Acquire and, if that was granted, release, kept in between as every holder is. */
  public Uni<Boolean> acquireAndRelease(Due due) {
    return acquire(due)
        .flatMap(
            held ->
                held.isEmpty()
                    ? Uni.createFrom().item(false)
                    : keeper.whileHeld(held.get().lease(), release(held.get())).replaceWith(true));
  }

  /** Opens a ticket and holds it, as whoever accepts a request does. */
  public Uni<Working> open(String assetId) {
    return tickets
        .open(assetId, entropy.freshId(), origin(), true, true)
        .map(opening -> new Working(((Opening.Opened) opening).run()));
  }

  /** A fenced write of a fact of about so many bytes; the holder goes on. */
  public Uni<?> write(Working working, String padding) {
    var run = working.run;
    var next =
        run.ticket()
            .with(run.ticket().progress(), run.ticket().facts().with(findings(padding), List.of()));
    return tickets.record(run, next, List.of(run.status()), Then.KEEP);
  }

  /** The fields that {@link #write} changes, as the hash keeps them. */
  public Map<String, String> fields(Working working, String padding) {
    var ticket = working.run.ticket();
    var next = ticket.with(ticket.progress(), ticket.facts().with(findings(padding), List.of()));
    return hash.changes(ticket, next);
  }

  /** All writes of one assessment, without its steps: what Redis alone takes. */
  public Uni<?> wholeTicket(String assetId, String padding) {
    return open(assetId)
        .flatMap(
            opened -> {
              var run = opened.run;
              return moved(run, padding, TicketStatus.ASSET_ONLINE, Step.ONLINE_CHECK)
                  .flatMap(
                      r ->
                          moved(r, padding, TicketStatus.VULN_CHECK_DONE, Step.VULNERABILITY_QUERY))
                  .flatMap(
                      r ->
                          moved(
                              r,
                              padding,
                              List.of(
                                  TicketStatus.VULN_CHECK_DONE,
                                  TicketStatus.HIGH_RISK_FOUND,
                                  TicketStatus.NOTIFYING),
                              Then.KEEP,
                              Step.THREAT_INTELLIGENCE,
                              Step.RISK_DECISION))
                  .flatMap(
                      r ->
                          moved(
                              r,
                              padding,
                              List.of(
                                  TicketStatus.NOTIFYING,
                                  TicketStatus.NOTIFIED,
                                  TicketStatus.FINISHED),
                              Then.END,
                              Step.NOTIFICATION));
            });
  }

  private Uni<Run> moved(Run run, String padding, TicketStatus to, Step step) {
    return moved(run, padding, List.of(run.status(), to), Then.KEEP, step);
  }

  private Uni<Run> moved(
      Run run, String padding, List<TicketStatus> path, Then then, Step... steps) {
    var next =
        run.ticket()
            .with(
                run.ticket().progress().moved(path.get(path.size() - 1), steps),
                run.ticket().facts().with(findings(padding), List.of()));
    return tickets.record(run, next, path, then);
  }

  /** The digests of the scripts of one assessment, as MONITOR shows them. */
  public static String[] scriptsOfAnAssessment() {
    return List.of("assessment/open", "assessment/record", "fence/acquire").stream()
        .map(name -> "\"evalsha\" \"" + LuaScript.named(name).sha1())
        .toArray(String[]::new);
  }

  private Origin origin() {
    return Origin.ofService(Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES)));
  }

  private static List<Finding> findings(String padding) {
    return List.of(
        new Finding(
            "GHSA-jfh8-c2jp-5v3q",
            List.of("CVE-2021-44228"),
            List.of(),
            "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1",
            Severity.CRITICAL,
            10.0,
            "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H",
            List.of("2.15.0"),
            List.of(padding),
            KnownExploited.YES,
            0.97));
  }
}
