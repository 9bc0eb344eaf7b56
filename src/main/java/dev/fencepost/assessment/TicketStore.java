package dev.fencepost.assessment;

import static java.util.stream.Collectors.joining;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.kernel.fence.HolderNames;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.kernel.fence.LeaseSettings;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps tickets. Every write on behalf of a holder shows its token; a write whose right is gone is
 * refused and recorded, not lost.
 */
@ApplicationScoped
class TicketStore {

  private static final LuaScript OPEN = LuaScript.named("assessment/open");
  private static final LuaScript ACQUIRE = LuaScript.named("fence/acquire");
  private static final LuaScript RECORD = LuaScript.named("assessment/record");
  private static final LuaScript RETRY = LuaScript.named("assessment/retry");
  private static final LuaScript CORRECT = LuaScript.named("assessment/correct");
  private static final LuaScript READ = LuaScript.named("assessment/read");

  /** Ids carry our clock, the list Redis's: how far they may differ before a list misses one. */
  private static final long CLOCK_SLACK_MS = 60_000;

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
  }

  /** The JSON of the asset's finished ticket, while it is fresh: one command, no lock. */
  Uni<Optional<String>> fresh(String assetId) {
    var key = new TicketKeys(lanes.of(assetId), assetId, "").fresh();
    return redis
        .send(Request.cmd(Command.HMGET).arg(key).arg("head").arg("refused"))
        .map(
            both ->
                Optional.ofNullable(both.get(0))
                    .map(head -> TicketHash.whole(head.toString(), both.get(1).toString())));
  }

  /** Forgets what the fast filter would answer: the asset is not what it was. */
  Uni<Void> forgetFresh(String assetId) {
    var key = new TicketKeys(lanes.of(assetId), assetId, "").fresh();
    return redis.send(Request.cmd(Command.DEL).arg(key)).replaceWithVoid();
  }

  /**
   * Opens a ticket or joins the unfinished one: lock, token, facts, agenda entry and event in one
   * round trip.
   *
   * @param runNow false leaves a new ticket to the sweeper
   */
  Uni<Opening> open(String assetId, Trace trace, boolean runNow) {
    var lane = lanes.of(assetId);
    var keys = new TicketKeys(lane, assetId, Lanes.idIn(lane, 't', entropy.freshId()));
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
                keys.recent()),
            List.of(
                holder,
                millis(leases.ttl()),
                assetId,
                keys.ticketId(),
                keys.entry(),
                now,
                trace.traceparent(),
                origin(trace),
                backlog(),
                millis(settings.keepEnded())))
        .map(
            answer ->
                switch (Opened.valueOf(answer.get(0).toString())) {
                  case OPENED -> opened(keys, holder, now, trace, answer.get(1).toString());
                  case JOINED -> new Opening.Joined(answer.get(1).toString());
                });
  }

  /** What {@code assessment/open.lua} may answer. */
  private enum Opened {
    OPENED,
    JOINED
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
                  case ACQUIRED -> Optional.of(resumed(keys, holder, fields(answer)));
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
    var keys = keys(run);
    var written = next.writtenAt(entropy.now());
    return redis
        .run(
            RECORD,
            List.of(
                keys.ticket(),
                keys.lease(),
                keys.refused(),
                keys.audit(),
                keys.agenda(),
                keys.asset(),
                keys.fresh()),
            recordArgs(run, written, path, then))
        .map(answer -> admitted(Recorded.valueOf(answer.toString()), run, written));
  }

  /**
   * Shows an outdated right once, so that its refusal is counted and stands in the events. Changes
   * nothing, and is no refusal, if by Redis the right is the newest still.
   */
  Uni<Recorded> reportStale(Run run) {
    return redis
        .run(
            RECORD,
            List.of(
                keys(run).ticket(),
                keys(run).lease(),
                keys(run).refused(),
                keys(run).audit(),
                keys(run).agenda(),
                keys(run).asset(),
                keys(run).fresh()),
            recordArgs(run, run.ticket(), List.of(), Then.KEEP))
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
    args.add(origin(run.trace()));
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
          throw LeaseLost.refused("ticket " + run.ticket().ticketId() + ": " + answer);
      case NOT_FOUND, ILLEGAL_TRANSITION ->
          throw new IllegalStateException(
              "ticket %s at %s: %s".formatted(run.ticket().ticketId(), run.status(), answer));
    };
  }

  private void count(Recorded answer) {
    if (answer != Recorded.RECORDED) {
      metrics.counter("fencepost.stale.writes.refused", "answer", answer.name()).increment();
    }
  }

  /** The ticket as it stands; empty if there is none (any more). */
  Uni<Optional<Ticket>> find(String ticketId) {
    return hashOf(ticketId).map(fields -> fields.map(this::ticket));
  }

  /** The ticket's fields; empty if there is none (any more). */
  private Uni<Optional<Map<String, String>>> hashOf(String ticketId) {
    var lane = lanes.carriedBy(ticketId);
    if (lane.isEmpty()) {
      return Uni.createFrom().item(Optional.empty());
    }
    var keys = new TicketKeys(lane.get(), "", ticketId);
    return redis
        .run(READ, List.of(keys.ticket(), keys.refused()), List.of())
        .map(
            answer -> {
              var fields = fields(answer);
              fields.put("refused", answer.get(0).toString());
              return fields.size() == 1 ? Optional.empty() : Optional.of(fields);
            });
  }

  private Ticket ticket(Map<String, String> fields) {
    return hash.ticket(fields, Long.parseLong(fields.getOrDefault("refused", "0")));
  }

  /** Every status the ticket has been in, oldest first. */
  Uni<Optional<TicketHistory>> history(String ticketId) {
    return hashOf(ticketId)
        .map(fields -> fields.map(found -> TicketHistory.of(ticket(found), found)));
  }

  /** Ticket ids of one lane, newest first, opened until about a given time. */
  Uni<List<String>> recent(Lane lane, long untilMillis, int limit) {
    return redis
        .send(
            Request.cmd(Command.ZRANGE)
                .arg(TicketKeys.recent(lane))
                .arg(Double.toString((double) untilMillis + CLOCK_SLACK_MS))
                .arg("-inf")
                .arg("BYSCORE")
                .arg("REV")
                .arg("LIMIT")
                .arg(0)
                .arg(limit))
        .map(ids -> ids.stream().map(Response::toString).toList());
  }

  /** Makes a FAILED ticket due again, where it failed. */
  Uni<Void> retry(String ticketId, Trace trace) {
    return byHand(
        RETRY, ticketId, List.of(JsonShape.text(entropy.now()), origin(trace), backlog()));
  }

  /** Ends a ticket by a person's word; whoever runs it is fenced out. */
  Uni<Void> correct(String ticketId, Correction.Valid correction, Trace trace) {
    return byHand(
        CORRECT,
        ticketId,
        List.of(
            JsonShape.text(entropy.now()),
            origin(trace),
            backlog(),
            correction.status().name(),
            correction.reason(),
            millis(settings.keepEnded())));
  }

  private Uni<Void> byHand(LuaScript script, String ticketId, List<String> args) {
    return find(ticketId)
        .map(found -> found.orElseThrow(() -> unknown(ticketId)))
        .map(ticket -> new TicketKeys(lanes.of(ticket.assetId()), ticket.assetId(), ticketId))
        .flatMap(
            keys ->
                redis.run(
                    script,
                    List.of(
                        keys.ticket(),
                        keys.lease(),
                        keys.refused(),
                        keys.audit(),
                        keys.agenda(),
                        keys.asset(),
                        keys.fresh()),
                    Stream.concat(Stream.of(ticketId, keys.entry()), args.stream()).toList()))
        .invoke(answer -> byHand(ByHand.valueOf(answer.toString()), ticketId))
        .replaceWithVoid();
  }

  /** What {@code assessment/retry.lua} and {@code assessment/correct.lua} may answer. */
  private enum ByHand {
    DONE,
    NOT_FOUND,
    NOT_IN_STATE,
    OTHER_TICKET_OPEN
  }

  private static void byHand(ByHand answer, String ticketId) {
    switch (answer) {
      case DONE -> {}
      case NOT_FOUND -> throw unknown(ticketId);
      case NOT_IN_STATE ->
          throw new Refused(
              ProblemType.CONFLICT, "ticket " + ticketId + " is not in a status that allows this");
      case OTHER_TICKET_OPEN ->
          throw new Refused(
              ProblemType.CONFLICT,
              "the asset of ticket " + ticketId + " has another unfinished ticket");
    }
  }

  private static Refused unknown(String ticketId) {
    return new Refused(ProblemType.TICKET_NOT_FOUND, "there is no ticket " + ticketId);
  }

  private static Map<String, String> fields(Response answer) {
    var fields = new HashMap<String, String>();
    for (var i = 1; i + 1 < answer.size(); i += 2) {
      fields.put(answer.get(i).toString(), answer.get(i + 1).toString());
    }
    return fields;
  }

  private static TicketKeys keys(Run run) {
    return TicketKeys.ofEntry(run.lease().lane(), run.lease().subject());
  }

  private static String origin(Trace trace) {
    return "{\"trace_id\":\"" + trace.traceId() + "\"}";
  }

  private String backlog() {
    return Integer.toString(audit.backlog());
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
