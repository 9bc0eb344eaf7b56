package dev.fencepost.kernel.audit.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What checkpoints say, once their signatures are found to be good.
 *
 * @param places hashes by sequence, per lane
 * @param damage what is wrong with the checkpoints themselves
 */
record SignedHeads(Map<Integer, Map<Long, String>> places, Optional<Damage> damage) {

  private static final int NO_LANE = -1;

  /**
   * Reads checkpoints that follow each other.
   *
   * @param keyOf the public key of a name, if it is trusted
   */
  static SignedHeads of(List<Checkpoint> checkpoints, Function<String, Optional<String>> keyOf) {
    var inOrder = new ArrayList<>(checkpoints);
    inOrder.sort(Comparator.comparingLong(Checkpoint::number));
    var places = new HashMap<Integer, Map<Long, String>>();
    Checkpoint before = null;
    for (var checkpoint : inOrder) {
      var wrong = wrongWith(checkpoint, before, keyOf);
      if (wrong.isPresent()) {
        return new SignedHeads(places, wrong);
      }
      checkpoint
          .heads()
          .forEach(
              (lane, head) ->
                  places
                      .computeIfAbsent(lane, first -> new HashMap<>())
                      .put(head.sequence(), head.hash()));
      before = checkpoint;
    }
    return new SignedHeads(places, Optional.empty());
  }

  private static Optional<Damage> wrongWith(
      Checkpoint checkpoint,
      @Nullable Checkpoint before,
      Function<String, Optional<String>> keyOf) {
    var key = keyOf.apply(checkpoint.kid());
    if (key.isEmpty()) {
      return forged(checkpoint, "is signed by a key that is not known here: " + checkpoint.kid());
    }
    if (!CheckpointSignature.isBy(checkpoint, key.get())) {
      return forged(checkpoint, "is not what was signed");
    }
    if (before != null && checkpoint.number() != before.number() + 1) {
      return forged(checkpoint, "has lost its predecessor");
    }
    return before != null && !checkpoint.previous().equals(before.digest())
        ? forged(checkpoint, "names another predecessor")
        : Optional.empty();
  }

  private static Optional<Damage> forged(Checkpoint checkpoint, String what) {
    return Optional.of(
        new Damage(
            NO_LANE,
            0,
            Damage.Kind.CHECKPOINT_FORGED,
            "checkpoint %d %s".formatted(checkpoint.number(), what)));
  }

  /** With the ends of archives. */
  SignedHeads and(Seals seals) {
    var all = new HashMap<>(places);
    seals
        .places()
        .forEach(
            (lane, known) ->
                all.merge(
                    lane,
                    known,
                    (a, b) -> {
                      var both = new HashMap<>(a);
                      both.putAll(b);
                      return both;
                    }));
    return new SignedHeads(all, seals.damage().or(() -> damage));
  }

  Map<Long, String> of(int lane) {
    return places.getOrDefault(lane, Map.of());
  }

  /** Up to where a lane is known to have come; 0 if no checkpoint says so. */
  long lastOf(int lane) {
    return of(lane).keySet().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
