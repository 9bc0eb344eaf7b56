package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.kernel.fence.HolderNames;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseSettings;
import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps who works on which key, and the answers. Every write shows its token. */
@ApplicationScoped
class AnswerStore {

  private static final LuaScript CLAIM = LuaScript.named("idempotency/claim");
  private static final LuaScript COMPLETE = LuaScript.named("idempotency/complete");

  private final RedisRoad redis;
  private final Lanes lanes;
  private final HolderNames holders;
  private final LeaseSettings leases;
  private final IdempotencySettings settings;
  private final AuditSettings audit;

  AnswerStore(
      RedisRoad redis,
      Lanes lanes,
      HolderNames holders,
      LeaseSettings leases,
      IdempotencySettings settings,
      AuditSettings audit) {
    this.redis = redis;
    this.lanes = lanes;
    this.holders = holders;
    this.leases = leases;
    this.settings = settings;
    this.audit = audit;
  }

  /** Claims a key for a new holder, or says what became of the first. One round trip. */
  Uni<Claimed> claim(Intention intention) {
    var keys = RecordKeys.of(lanes, intention.caller(), intention.key());
    var holder = holders.next();
    return redis
        .run(
            CLAIM,
            List.of(keys.record(), keys.lease()),
            List.of(holder, millis(leases.ttl()), intention.fingerprint(), millis(settings.keep())))
        .map(
            answer ->
                switch (ClaimWord.valueOf(answer.get(0).toString())) {
                  case CLAIMED -> granted(intention, keys, holder, answer, false);
                  case TAKEN_OVER -> granted(intention, keys, holder, answer, true);
                  case IN_PROGRESS -> new Claimed.InProgress(answer.get(1).toString());
                  case COMPLETED ->
                      new Claimed.Completed(answer(answer.get(1), answer.get(2), answer.get(3)));
                  case MISMATCH -> new Claimed.Mismatch();
                });
  }

  /** What {@code idempotency/claim.lua} may answer. */
  private enum ClaimWord {
    CLAIMED,
    TAKEN_OVER,
    IN_PROGRESS,
    COMPLETED,
    MISMATCH
  }

  private static Claimed granted(
      Intention intention, RecordKeys keys, String holder, Response answer, boolean takenOver) {
    var token = new FencingToken(Long.parseLong(answer.get(1).toString()));
    var lease =
        new Lease(keys.lane(), keys.lease(), keys.agenda(), "key " + keys.id(), holder, token);
    var claim =
        new Claim(
            intention,
            keys,
            lease,
            Long.parseLong(answer.get(2).toString()),
            number(answer.get(3)));
    return new Claimed.Granted(claim, takenOver);
  }

  /** Stores the answer, if the claim is still good. */
  Uni<Completion> complete(Claim claim, StoredAnswer answer, Origin origin) {
    return settle(
        claim, Integer.toString(answer.status()), answer.headers(), answer.body(), origin);
  }

  /** Frees the key for the next attempt. */
  Uni<Completion> letGo(Claim claim, Origin origin) {
    return settle(claim, "", "", "", origin);
  }

  private Uni<Completion> settle(
      Claim claim, String status, String headers, String body, Origin origin) {
    var keys = claim.keys();
    return redis
        .run(
            COMPLETE,
            List.of(keys.record(), keys.lease(), keys.audit()),
            List.of(
                claim.lease().token().toString(),
                claim.lease().holder(),
                status,
                headers,
                body,
                millis(settings.keep()),
                keys.id(),
                origin.json(),
                Integer.toString(audit.backlog())))
        .map(answer -> Completion.valueOf(answer.toString()));
  }

  /** The stored answer to a claim that came too late for its own; empty if there is none yet. */
  Uni<Optional<StoredAnswer>> answer(Claim claim) {
    return redis
        .send(
            Request.cmd(Command.HMGET)
                .arg(claim.keys().record())
                .arg("status")
                .arg("headers")
                .arg("body"))
        .map(
            known ->
                known.get(0) == null
                    ? Optional.empty()
                    : Optional.of(answer(known.get(0), known.get(1), known.get(2))));
  }

  /** What became of a caller's key; empty if it is unknown, or another caller's. */
  Uni<Optional<KeyStatus>> status(String caller, IdempotencyKey key) {
    return redis
        .send(
            Request.cmd(Command.HMGET)
                .arg(RecordKeys.of(lanes, caller, key).record())
                .arg("state")
                .arg("first_seen")
                .arg("expires")
                .arg("status")
                .arg("headers"))
        .map(
            known ->
                known.get(0) == null ? Optional.empty() : Optional.of(status(key.value(), known)));
  }

  private static KeyStatus status(String key, Response known) {
    var answer = known.get(3) == null ? null : answer(known.get(3), known.get(4), null);
    return new KeyStatus(
        key,
        known.get(0).toString(),
        Instant.ofEpochMilli(number(known.get(1))),
        Instant.ofEpochMilli(number(known.get(2))),
        answer == null ? null : answer.status(),
        answer == null ? null : answer.header("Location").orElse(null));
  }

  private static StoredAnswer answer(Response status, Response headers, @Nullable Response body) {
    return new StoredAnswer(
        (int) number(status), headers.toString(), body == null ? "" : body.toString());
  }

  private static long number(Response value) {
    return Long.parseLong(value.toString());
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
