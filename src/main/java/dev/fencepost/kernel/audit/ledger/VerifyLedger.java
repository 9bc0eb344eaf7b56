package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.audit.ledger.LaneVerifier.Symptom;
import dev.fencepost.kernel.identity.token.SigningKeys;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Walks chains from their anchors to their heads, a bounded number of events at a time. */
@ApplicationScoped
class VerifyLedger {

  private static final int EVENTS_AT_ONCE = 1000;
  private static final int CHECKPOINTS = 50;

  private final LedgerView ledger;
  private final CheckpointStore checkpoints;
  private final ArchiveStore archives;
  private final SigningKeys keys;
  private final Entropy entropy;

  VerifyLedger(
      LedgerView ledger,
      CheckpointStore checkpoints,
      ArchiveStore archives,
      SigningKeys keys,
      Entropy entropy) {
    this.ledger = ledger;
    this.checkpoints = checkpoints;
    this.archives = archives;
    this.keys = keys;
    this.entropy = entropy;
  }

  /** What was found in one lane. */
  private record Found(LaneVerifier verifier, Optional<Damage> damage) {}

  /** Verifies one lane, or all of them. */
  Uni<VerifyAnswer> verify(Optional<Integer> only) {
    return archives
        .seals()
        .flatMap(
            left ->
                checkpoints
                    .newest(Long.MAX_VALUE, CHECKPOINTS)
                    .flatMap(newest -> OffTheLoop.compute(() -> known(newest, left))))
        .flatMap(known -> verify(only, known.signed(), known.seals()));
  }

  /** What was signed, of what is here and of what has left. */
  private record Known(SignedHeads signed, Seals seals) {}

  private Uni<VerifyAnswer> verify(Optional<Integer> only, SignedHeads signed, Seals seals) {
    return ledger
        .heads()
        .flatMap(
            heads ->
                Multi.createFrom()
                    .iterable(lanes(only, heads, signed))
                    .onItem()
                    .transformToUniAndConcatenate(lane -> lane(seals.endOf(lane), heads, signed))
                    .collect()
                    .asList())
        .map(found -> answer(found, signed));
  }

  private Known known(List<Checkpoint> newest, List<Checkpoint> left) {
    var seals = Seals.of(left, keys::publicKeyOf);
    return new Known(SignedHeads.of(newest, keys::publicKeyOf).and(seals), seals);
  }

  /** A lane that is gone altogether is still known to the checkpoints. */
  private static Set<Integer> lanes(Optional<Integer> only, List<Head> heads, SignedHeads signed) {
    if (only.isPresent()) {
      return new TreeSet<>(List.of(only.get()));
    }
    var lanes = new TreeSet<>(signed.places().keySet());
    heads.forEach(head -> lanes.add(head.lane()));
    return lanes;
  }

  private Uni<Found> lane(Head anchor, List<Head> heads, SignedHeads signed) {
    var lane = anchor.lane();
    var head =
        heads.stream()
            .filter(known -> known.lane() == lane)
            .findFirst()
            .orElseGet(() -> Head.beginning(lane));
    var walk =
        new Walk(
            new LaneVerifier(lane, anchor.sequence(), anchor.hash(), signed.of(lane)),
            anchor.sequence());
    return toTheEnd(walk, head).flatMap(done -> judge(walk, head, signed));
  }

  /** How far a walk has come, and where it stopped. */
  private static final class Walk {

    final LaneVerifier verifier;
    long sequence;
    Instant at = Instant.EPOCH;
    @Nullable Symptom symptom;
    @Nullable RecordedEvent bad;

    Walk(LaneVerifier verifier, long anchor) {
      this.verifier = verifier;
      this.sequence = anchor + 1;
    }

    /** True if there may be more. */
    boolean take(List<RecordedEvent> events) {
      for (var event : events) {
        var found = verifier.accept(event);
        if (found.isPresent()) {
          symptom = found.get();
          bad = event;
          return false;
        }
        sequence = event.sequence();
        at = event.timestamp();
      }
      return events.size() == EVENTS_AT_ONCE;
    }
  }

  private Uni<Void> toTheEnd(Walk walk, Head head) {
    return Multi.createBy()
        .repeating()
        .uni(
            () ->
                ledger
                    .walk(head.lane(), walk.sequence, walk.at, head.sequence(), EVENTS_AT_ONCE)
                    .flatMap(events -> OffTheLoop.compute(() -> walk.take(events))))
        .whilst(more -> more)
        .collect()
        .last()
        .replaceWithVoid();
  }

  private Uni<Found> judge(Walk walk, Head head, SignedHeads signed) {
    return ledger
        .lostPartitions()
        .flatMap(
            lost ->
                walk.symptom == null
                    ? theEnd(walk.verifier, head, signed)
                        .map(damage -> damage.map(found -> orLost(found, lost)))
                    : theMiddle(walk).map(found -> Optional.of(orLost(found, lost))))
        .map(damage -> new Found(walk.verifier, damage));
  }

  private Uni<Damage> theMiddle(Walk walk) {
    var verifier = walk.verifier;
    return ledger
        .linkedTo(verifier.lane(), verifier.hash())
        .map(
            rightful ->
                verifier.diagnose(
                    Objects.requireNonNull(walk.symptom),
                    Objects.requireNonNull(walk.bad),
                    rightful));
  }

  private Uni<Optional<Damage>> theEnd(LaneVerifier verifier, Head head, SignedHeads signed) {
    var cut =
        verifier
            .end(head.sequence(), "the head")
            .or(() -> verifier.end(signed.lastOf(verifier.lane()), "a checkpoint"));
    return cut.isPresent()
        ? Uni.createFrom().item(cut)
        : ledger
            .beyondHead(verifier.lane())
            .map(
                beyond ->
                    beyond.map(
                        sequence ->
                            verifier.damage(
                                sequence,
                                Damage.Kind.INSERTED,
                                "the ledger never recorded an event behind its head")));
  }

  /** Missing events of a month whose table is gone went with it. */
  static Damage orLost(Damage damage, List<String> lost) {
    return lost.isEmpty()
            || (damage.kind() != Damage.Kind.MISSING && damage.kind() != Damage.Kind.CUT_OFF)
        ? damage
        : new Damage(
            damage.lane(),
            damage.sequence(),
            Damage.Kind.PARTITION_MISSING,
            damage.problem()
                + "; a partition was dropped outside the archive: "
                + String.join(", ", lost));
  }

  private VerifyAnswer answer(List<Found> found, SignedHeads signed) {
    var damage =
        found.stream().flatMap(lane -> lane.damage().stream()).findFirst().or(signed::damage);
    var hashes = found.stream().map(lane -> lane.verifier().hash()).toList();
    return new VerifyAnswer(
        damage.isEmpty(),
        found.stream().mapToLong(lane -> lane.verifier().events()).sum(),
        hashes.size() == 1
            ? hashes.get(0)
            : Canonical.sha256(hashes.stream().collect(Collectors.joining())),
        entropy.now(),
        found.stream().mapToLong(lane -> lane.verifier().gaps()).sum(),
        damage.filter(d -> d.lane() >= 0).map(Damage::lane).orElse(null),
        damage.filter(d -> d.lane() >= 0).map(Damage::sequence).orElse(null),
        damage.map(Damage::kind).orElse(null),
        damage.map(Damage::toString).orElse(null));
  }
}
