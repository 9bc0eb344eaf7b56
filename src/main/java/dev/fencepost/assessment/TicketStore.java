package dev.fencepost.assessment;

import static dev.fencepost.kernel.fence.LeaseLost.Cause.REFUSED;
import static java.util.stream.Collectors.joining;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.kernel.fence.HolderNames;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.kernel.fence.LeaseSettings;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps tickets while someone works on them. Every write on behalf of a holder shows its token; a
 * write whose right is gone is refused and recorded, not lost.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class TicketStore {

  private static final LuaScript OPEN = LuaScript.named("assessment/open");
  private static final LuaScript ACQUIRE = LuaScript.named("fence/acquire");
  private static final LuaScript RECORD = LuaScript.named("assessment/record");

  private final RedisRoad redis;
  private final TicketHash hash;
  private final Lanes lanes;
  private final HolderNames holders;
  private final Entropy entropy;
  private final LeaseSettings leases;
  private final AssessmentSettings settings;
  private final AuditSettings audit;
  private final MeterRegistry metrics;

  TicketStore(
      RedisRoad redis,
      TicketHash hash,
      Lanes lanes,
      HolderNames holders,
      Entropy entropy,
      LeaseSettings leases,
      AssessmentSettings settings,
      AuditSettings audit,
      MeterRegistry metrics) {
    this.redis = redis;
    this.hash = hash;
    this.lanes = lanes;
    this.holders = holders;
    this.entropy = entropy;
    this.leases = leases;
    this.settings = settings;
    this.audit = audit;
    this.metrics = metrics;
    Arrays.stream(Recorded.values()).filter(Recorded::isRefusal).forEach(this::refusals);
  }

  /**
   * Opens a ticket or joins the unfinished one: lock, token, facts, agenda entry and event in one
   * round trip.
   *
   * @param id the last part of the ticket's id: the same one finds the ticket it has opened
   * @param runNow false leaves a new ticket to the sweeper
   * @param force opens a ticket though a finished one is fresh
   */
  Uni<Opening> open(String assetId, String id, Origin origin, boolean runNow, boolean force) {
    var lane = lanes.of(assetId);
    var keys = new TicketKeys(lane, assetId, Lanes.idIn(lane, 't', id));
    var holder = runNow ? holders.next() : "";
    var now = JsonShape.text(entropy.now());
    return redis
        .run(
            OPEN,
            List.of(
                keys.asset(),
                keys.lease(),
                keys.ticket(),
                keys.agenda(),
                keys.audit(),
                keys.recent(),
                keys.fresh()),
            List.of(
                holder,
                millis(leases.ttl()),
                assetId,
                keys.ticketId(),
                keys.entry(),
                now,
                origin.trace().traceparent(),
                origin.json(),
                backlog(),
                millis(settings.keepEnded()),
                force ? "1" : "0"))
        .map(
            answer ->
                switch (Opened.valueOf(answer.get(0).toString())) {
                  case OPENED ->
                      opened(keys, holder, now, origin.trace(), answer.get(1).toString());
                  case JOINED -> new Opening.Joined(answer.get(1).toString());
                  case FRESH ->
                      new Opening.Fresh(
                          TicketHash.whole(answer.get(1).toString(), answer.get(2).toString()));
                });
  }

  /** What {@code assessment/open.lua} may answer. */
  private enum Opened {
    OPENED,
    JOINED,
    FRESH
  }

  private Opening opened(TicketKeys keys, String holder, String now, Trace trace, String token) {
    var ticket =
        hash.ticket(
            Map.of(
                "ticket_id",
                keys.ticketId(),
                "asset_id",
                keys.assetId(),
                "status",
                TicketStatus.INIT.name(),
                "fencing_token",
                token,
                "attempts",
                holder.isEmpty() ? "0" : "1",
                "created_at",
                now,
                "updated_at",
                now),
            0);
    return holder.isEmpty()
        ? new Opening.Queued(ticket)
        : new Opening.Opened(new Run(lease(keys, holder, ticket), ticket, trace, 0));
  }

  /** Takes over a ticket that is due; empty if someone else has it, or it ended meanwhile. */
  Uni<Optional<Run>> acquire(Lane lane, String entry) {
    var keys = TicketKeys.ofEntry(lane, entry);
    var holder = holders.next();
    return redis
        .run(
            ACQUIRE,
            List.of(keys.lease(), keys.ticket(), keys.asset(), keys.agenda(), keys.audit()),
            List.of(
                holder,
                millis(leases.ttl()),
                entry,
                keys.ticketId(),
                "TICKET_RESUMED",
                "{}",
                backlog()))
        .map(
            answer ->
                switch (Acquired.valueOf(answer.get(0).toString())) {
                  case ACQUIRED -> Optional.of(resumed(keys, holder, Replies.pairs(answer, 1)));
                  case HELD, NOT_DUE -> Optional.empty();
                });
  }

  /** What {@code fence/acquire.lua} may answer. */
  private enum Acquired {
    ACQUIRED,
    HELD,
    NOT_DUE
  }

  private Run resumed(TicketKeys keys, String holder, Map<String, String> fields) {
    var ticket = hash.ticket(fields, 0);
    var trace =
        Optional.ofNullable(fields.get("traceparent"))
            .flatMap(Trace::parse)
            .orElseGet(() -> Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES)));
    var deaths = Integer.parseInt(fields.getOrDefault("deaths", "0"));
    return new Run(lease(keys, holder, ticket), ticket, trace, deaths);
  }

  private static Lease lease(TicketKeys keys, String holder, Ticket ticket) {
    return new Lease(
        keys.lane(),
        keys.lease(),
        keys.agenda(),
        keys.entry(),
        holder,
        new FencingToken(ticket.fencingToken()));
  }

  /**
   * Records what a run has found out, if it still may.
   *
   * @param path statuses from the present one to the new one; alone if it does not move
   * @return the run with its new facts; fails with {@link LeaseLost} if it may not write
   */
  Uni<Run> record(Run run, Ticket next, List<TicketStatus> path, Then then) {
    var written = next.writtenAt(entropy.now());
    var args = recordArgs(run, written, path, then);
    // What is NOTIFYING is about to leave: a failover must not forget that.
    return (written.status() == TicketStatus.NOTIFYING
            ? redis.runConfirmed(RECORD, keys(run).forWriting(), args)
            : redis.run(RECORD, keys(run).forWriting(), args))
        .map(answer -> admitted(Recorded.valueOf(answer.toString()), run, written));
  }

  /**
   * Lets go of a ticket in whatever status it is, due again at once. A holder that is none any more
   * is refused like with any write, so its outdated right is counted and stands in the events.
   *
   * @param next what is left behind: why, and whether it counts as an attempt
   */
  Uni<Recorded> letGo(Run run, Progress next) {
    var left = run.ticket().with(next).writtenAt(entropy.now());
    return redis
        .run(RECORD, keys(run).forWriting(), recordArgs(run, left, List.of(), Then.NOW))
        .map(answer -> Recorded.valueOf(answer.toString()))
        .invoke(this::count);
  }

  private List<String> recordArgs(Run run, Ticket written, List<TicketStatus> path, Then then) {
    var ends = then.kind() == Then.Kind.END;
    var finished = written.status() == TicketStatus.FINISHED;
    var args = new ArrayList<String>();
    args.add(run.lease().token().toString());
    args.add(run.lease().holder());
    args.add(path.stream().map(TicketStatus::name).collect(joining(">")));
    args.add(TicketStatus.EDGES);
    args.add(then.kind().name());
    args.add(ends ? millis(settings.keepEnded()) : millis(then.delay()));
    args.add(JsonShape.text(written.updatedAt()));
    args.add(run.ticket().ticketId());
    args.add(run.lease().subject());
    args.add(Origin.ofService(run.trace()).json());
    args.add(backlog());
    args.add(ends && finished ? millis(settings.freshFor()) : "0");
    args.add(ends ? hash.head(written) : "");
    hash.changes(run.ticket(), written)
        .forEach(
            (field, value) -> {
              args.add(field);
              args.add(value);
            });
    return args;
  }

  private Run admitted(Recorded answer, Run run, Ticket written) {
    count(answer);
    return switch (answer) {
      case RECORDED -> run.with(written);
      case STALE_TOKEN, LEASE_LOST ->
          throw new LeaseLost(REFUSED, "ticket " + run.ticket().ticketId() + ": " + answer);
      case NOT_FOUND, ILLEGAL_TRANSITION ->
          throw new IllegalStateException(
              "ticket %s at %s: %s".formatted(run.ticket().ticketId(), run.status(), answer));
    };
  }

  private void count(Recorded answer) {
    if (answer.isRefusal()) {
      refusals(answer).increment();
    }
  }

  private Counter refusals(Recorded answer) {
    return metrics.counter("fencepost.stale.writes.refused", "answer", answer.name());
  }

  private static TicketKeys keys(Run run) {
    return TicketKeys.ofEntry(run.lease().lane(), run.lease().subject());
  }

  private String backlog() {
    return Integer.toString(audit.backlog());
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
