package dev.fencepost.kernel.audit.ledger;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was signed of archived months, once the signatures are found to be good.
 *
 * @param begins behind what the oldest archive of a lane begins
 * @param ends with what the newest archive of a lane ends
 * @param places hashes by sequence, per lane
 * @param damage what is wrong with the seals themselves
 */
record Seals(
    Map<Integer, Checkpoint.Signed> begins,
    Map<Integer, Checkpoint.Signed> ends,
    Map<Integer, Map<Long, String>> places,
    Optional<Damage> damage) {

  private static final int NO_LANE = -1;

  /**
   * Reads the seals of archives.
   *
   * @param keyOf the public key of a name, if it is trusted
   */
  static Seals of(List<Checkpoint> seals, Function<String, Optional<String>> keyOf) {
    var begins = new HashMap<Integer, Checkpoint.Signed>();
    var ends = new HashMap<Integer, Checkpoint.Signed>();
    var places = new HashMap<Integer, Map<Long, String>>();
    Optional<Damage> damage = Optional.empty();
    for (var seal : seals) {
      if (keyOf.apply(seal.kid()).filter(key -> CheckpointSignature.isBy(seal, key)).isEmpty()) {
        damage = damage.or(() -> forged(seal));
        continue;
      }
      seal.begins().forEach((lane, place) -> begins.merge(lane, place, Seals::earlier));
      seal.heads().forEach((lane, place) -> ends.merge(lane, place, Seals::later));
      seal.heads()
          .forEach(
              (lane, place) ->
                  places
                      .computeIfAbsent(lane, first -> new HashMap<>())
                      .put(place.sequence(), place.hash()));
    }
    return new Seals(begins, ends, places, damage);
  }

  private static Optional<Damage> forged(Checkpoint seal) {
    return Optional.of(
        new Damage(
            NO_LANE,
            0,
            Damage.Kind.CHECKPOINT_FORGED,
            "the seal of the archive %s is not signed by a key that is known here"
                .formatted(seal.archive())));
  }

  private static Checkpoint.Signed earlier(Checkpoint.Signed a, Checkpoint.Signed b) {
    return a.sequence() <= b.sequence() ? a : b;
  }

  private static Checkpoint.Signed later(Checkpoint.Signed a, Checkpoint.Signed b) {
    return a.sequence() >= b.sequence() ? a : b;
  }

  /** Behind what a lane begins in the ledger: its last event that left. */
  Head endOf(int lane) {
    return Optional.ofNullable(ends.get(lane))
        .map(place -> head(lane, place))
        .orElseGet(() -> Head.beginning(lane));
  }

  /** Behind what a lane begins in its archives; empty if it is in none. */
  Optional<Head> beginOf(int lane) {
    return Optional.ofNullable(begins.get(lane)).map(place -> head(lane, place));
  }

  private static Head head(int lane, Checkpoint.Signed place) {
    return new Head(lane, place.sequence(), place.hash(), StreamId.NONE, Instant.EPOCH);
  }
}
