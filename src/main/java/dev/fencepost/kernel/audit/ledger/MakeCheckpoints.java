package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditSettings;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.token.SigningKeys;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.lifecycle.StartUp;
import dev.fencepost.platform.lifecycle.Ticker;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Signs where the chains end: on a schedule, and before the process ends. What is signed is said in
 * the log too, where whoever rewrites the database cannot reach it.
 */
@ApplicationScoped
class MakeCheckpoints {

  private static final Logger LOG = Logger.getLogger(MakeCheckpoints.class);
  private static final int BEFORE_THE_SPOOL = 4_000;
  private static final Duration LAST_CHANCE = Duration.ofSeconds(3);

  private final LedgerView ledger;
  private final CheckpointStore checkpoints;
  private final SigningKeys keys;
  private final AuditTrail trail;
  private final Entropy entropy;
  private final AuditSettings settings;

  MakeCheckpoints(
      LedgerView ledger,
      CheckpointStore checkpoints,
      SigningKeys keys,
      AuditTrail trail,
      Entropy entropy,
      AuditSettings settings) {
    this.ledger = ledger;
    this.checkpoints = checkpoints;
    this.keys = keys;
    this.trail = trail;
    this.entropy = entropy;
    this.settings = settings;
  }

  void start(@Observes StartupEvent start, Ticker ticker) {
    if (settings.project()) {
      ticker.every(settings.checkpointEvery(), "an audit checkpoint", this::onSchedule);
    }
  }

  void stop(@Observes @Priority(BEFORE_THE_SPOOL) ShutdownEvent stop) {
    if (settings.project()) {
      StartUp.waitFor(
          "an audit checkpoint",
          make(Duration.ZERO)
              .ifNoItem()
              .after(LAST_CHANCE)
              .fail()
              .replaceWithVoid()
              .onFailure(Refused.class)
              .recoverWithUni(MakeCheckpoints::without)
              .onFailure(TimeoutException.class)
              .recoverWithUni(MakeCheckpoints::without));
    }
  }

  /** Replicas take turns: one that was made a moment ago is enough for all. */
  private Uni<Void> onSchedule() {
    return make(settings.checkpointEvery().dividedBy(2))
        .replaceWithVoid()
        .onFailure(Refused.class)
        .recoverWithUni(MakeCheckpoints::without);
  }

  private static Uni<Void> without(Throwable away) {
    LOG.warnf("no checkpoint was made: %s", away.getMessage());
    return Uni.createFrom().voidItem();
  }

  /**
   * Makes one, unless the heads are where they were, or the last one is younger than so long.
   *
   * @return the new one
   */
  Uni<Optional<Checkpoint>> make(Duration unlessYoungerThan) {
    return checkpoints
        .last()
        .flatMap(
            last ->
                ledger
                    .heads()
                    .flatMap(
                        heads ->
                            isDue(last, heads, unlessYoungerThan)
                                ? sign(last, heads)
                                : Uni.createFrom().item(Optional.empty())));
  }

  private boolean isDue(Optional<Checkpoint> last, List<Head> heads, Duration unlessYoungerThan) {
    var now = heads.stream().collect(Collectors.toMap(Head::lane, MakeCheckpoints::signed));
    return !heads.isEmpty()
        && (last.isEmpty()
            || (!last.get().heads().equals(now)
                && !last.get().madeAt().plus(unlessYoungerThan).isAfter(entropy.now())));
  }

  private static Checkpoint.Signed signed(Head head) {
    return new Checkpoint.Signed(head.sequence(), head.hash());
  }

  private Uni<Optional<Checkpoint>> sign(Optional<Checkpoint> last, List<Head> heads) {
    var now = entropy.now().truncatedTo(ChronoUnit.MILLIS);
    return OffTheLoop.compute(() -> signed(last, heads, now))
        .flatMap(
            made ->
                checkpoints
                    .put(made)
                    .invoke(first -> tell(first, last, made, heads))
                    .map(first -> first ? Optional.of(made) : Optional.empty()));
  }

  private Checkpoint signed(Optional<Checkpoint> last, List<Head> heads, Instant now) {
    var number = last.map(Checkpoint::number).orElse(0L) + 1;
    var previous = last.map(Checkpoint::digest).orElse(Checkpoint.NO_PREVIOUS);
    var payload = Checkpoint.payload(number, now, previous, heads);
    var kid = keys.activeKid();
    return new Checkpoint(
        number,
        now,
        payload,
        kid,
        CheckpointSignature.ALGORITHM,
        keys.sign(payload),
        keys.publicKeyOf(kid).orElseThrow());
  }

  private void tell(boolean first, Optional<Checkpoint> last, Checkpoint made, List<Head> heads) {
    if (!first) {
      return;
    }
    LOG.infof(
        "audit checkpoint %d over %d events in %d lanes, sha256 %s, signed by %s: %s",
        made.number(),
        heads.stream().mapToLong(Head::sequence).sum(),
        heads.size(),
        made.digest(),
        made.kid(),
        made.signature());
    last.filter(before -> !before.kid().equals(made.kid()))
        .ifPresent(before -> trail.append(keyChanged(before.kid(), made.kid())));
  }

  private AuditEvent keyChanged(String from, String to) {
    return new AuditEvent(
        "AUDIT_KEY_CHANGED",
        "accepted",
        "audit",
        "checkpoints",
        Origin.ofService(Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES))),
        Map.of("from_kid", from, "to_kid", to));
  }
}
