package dev.fencepost.assessment;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.http.JsonShape;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.stream.Stream;

/** Keeps what people decide over the heads of holders: retries, corrections, settlements. */
@ApplicationScoped
class InterventionStore {

  private static final LuaScript RETRY = LuaScript.named("assessment/retry");
  private static final LuaScript CORRECT = LuaScript.named("assessment/correct");
  private static final LuaScript SETTLE = LuaScript.named("assessment/settle");

  private final RedisRoad redis;
  private final TicketViewStore tickets;
  private final TicketHash hash;
  private final Lanes lanes;
  private final Entropy entropy;
  private final AssessmentSettings settings;
  private final AuditSettings audit;
  private final Mask mask;

  InterventionStore(
      RedisRoad redis,
      TicketViewStore tickets,
      TicketHash hash,
      Lanes lanes,
      Entropy entropy,
      AssessmentSettings settings,
      AuditSettings audit,
      Mask mask) {
    this.redis = redis;
    this.tickets = tickets;
    this.hash = hash;
    this.lanes = lanes;
    this.entropy = entropy;
    this.settings = settings;
    this.audit = audit;
    this.mask = mask;
  }

  /**
   * Makes a FAILED ticket due again, where it failed.
   *
   * @param id of this intervention: whatever was done under it is done once
   */
  Uni<Void> retry(String ticketId, String id, Origin origin) {
    return byHand(
        RETRY,
        ticketId,
        List.of(
            JsonShape.text(entropy.now()), origin.json(), Integer.toString(audit.backlog()), id));
  }

  /**
   * Ends a ticket by a person's word; whoever runs it is fenced out.
   *
   * @param id of this intervention: whatever was done under it is done once
   */
  Uni<Void> correct(String ticketId, Correction.Valid correction, String id, Origin origin) {
    return byHand(
        CORRECT,
        ticketId,
        List.of(
            JsonShape.text(entropy.now()),
            origin.json(),
            Integer.toString(audit.backlog()),
            id,
            correction.status().name(),
            mask.text(correction.reason()),
            Long.toString(settings.keepEnded().toMillis())));
  }

  /**
   * Settles one channel of an ended ticket, if it is still as it was read.
   *
   * @param id of this intervention: whatever was done under it is done once
   */
  Uni<Void> settle(Ticket seen, Settlement.Valid word, String id, Origin origin) {
    var settlement = word.saying(mask::text);
    var keys = new TicketKeys(lanes.of(seen.assetId()), seen.assetId(), seen.ticketId());
    var before = seen.facts().notifications();
    return redis
        .run(
            SETTLE,
            List.of(keys.ticket(), keys.fresh(), keys.audit(), keys.refused()),
            List.of(
                seen.ticketId(),
                settlement.inDoubt() ? hash.notifications(before) : "",
                hash.notifications(settlement.appliedTo(before)),
                JsonShape.text(entropy.now()),
                settlement.channel(),
                settlement.state().name(),
                settlement.reason(),
                origin.json(),
                Integer.toString(audit.backlog()),
                id))
        .invoke(answer -> byHand(ByHand.valueOf(answer.toString()), seen.ticketId()))
        .replaceWithVoid();
  }

  private Uni<Void> byHand(LuaScript script, String ticketId, List<String> args) {
    return tickets
        .find(ticketId)
        .map(found -> found.orElseThrow(() -> unknown(ticketId)))
        .map(ticket -> new TicketKeys(lanes.of(ticket.assetId()), ticket.assetId(), ticketId))
        .flatMap(
            keys ->
                redis.run(
                    script,
                    keys.forWriting(),
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
}
