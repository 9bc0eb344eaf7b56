package dev.fencepost.assessment;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.Replies;
import dev.fencepost.platform.telemetry.LogFacts;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** Shows tickets as they stand, to those who do not work on them. */
@ApplicationScoped
class TicketViewStore {

  private static final LuaScript FORGET = LuaScript.named("assessment/forget");
  private static final LuaScript READ = LuaScript.named("assessment/read");
  private static final LuaScript SHOW = LuaScript.named("assessment/show");

  /** Ids carry our clock, the list Redis's: how far they may differ before a list misses one. */
  private static final long CLOCK_SLACK_MS = 60_000;

  private static final Logger LOG = Logger.getLogger(TicketViewStore.class);

  private final RedisRoad redis;
  private final TicketHash hash;
  private final Lanes lanes;
  private final MeterRegistry metrics;

  TicketViewStore(RedisRoad redis, TicketHash hash, Lanes lanes, MeterRegistry metrics) {
    this.redis = redis;
    this.hash = hash;
    this.lanes = lanes;
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
    var keys = new TicketKeys(lanes.of(assetId), assetId, "");
    return redis.run(FORGET, List.of(keys.asset(), keys.fresh()), List.of()).replaceWithVoid();
  }

  /** The JSON of the ticket as it stands; empty if there is none (any more). */
  Uni<Optional<String>> shown(String ticketId) {
    var lane = lanes.carriedBy(ticketId);
    if (lane.isEmpty()) {
      return Uni.createFrom().item(Optional.empty());
    }
    var keys = new TicketKeys(lane.get(), "", ticketId);
    return redis
        .run(SHOW, List.of(keys.ticket(), keys.refused()), TicketJson.FIELDS)
        .map(
            answer ->
                answer.get(1) == null ? Optional.empty() : Optional.of(TicketJson.of(answer)));
  }

  /** The ticket as it stands; empty if there is none (any more). */
  Uni<Optional<Ticket>> find(String ticketId) {
    return hashOf(ticketId).map(fields -> fields.map(this::ticket));
  }

  /** The ticket as one among others: if it cannot be read, it is left out, told of and counted. */
  Uni<Optional<Ticket>> findAmongOthers(String ticketId) {
    return find(ticketId)
        .onFailure(IllegalStateException.class)
        .recoverWithItem(
            unreadable -> {
              tell(ticketId, unreadable);
              return Optional.empty();
            });
  }

  /** Tells the operator of a ticket that holds what we did not write. */
  void tell(String ticketId, Throwable unreadable) {
    LogFacts.log(
        LOG, Level.ERROR, () -> facts(ticketId), unreadable, "ticket %s cannot be read", ticketId);
    metrics.counter("fencepost.tickets.unreadable").increment();
  }

  private LogFacts facts(String ticketId) {
    return lanes.carriedBy(ticketId).map(Lane::facts).orElse(LogFacts.NONE).ticket(ticketId);
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
              var fields = Replies.pairs(answer, 1);
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
}
