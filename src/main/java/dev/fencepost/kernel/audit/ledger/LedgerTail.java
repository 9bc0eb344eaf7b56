package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.fence.Lane;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What happened so recently that the ledger may not have it yet. Whoever asks here first and the
 * read model second misses nothing: an event leaves its stream only after it is in the ledger.
 */
@ApplicationScoped
public class LedgerTail {

  /** Newest events that are looked at per lane; while the ledger lags by more, a list lags too. */
  private static final int MOST_PER_LANE = 500;

  private static final int LANES_AT_ONCE = 64;

  private final LaneStream streams;

  LedgerTail(LaneStream streams) {
    this.streams = streams;
  }

  /** The resources of those events. */
  public Uni<Set<String>> resources(List<Lane> lanes) {
    return Multi.createFrom()
        .iterable(lanes)
        .onItem()
        .transformToUni(lane -> streams.newest(lane, MOST_PER_LANE))
        .merge(LANES_AT_ONCE)
        .onItem()
        .<StreamEntry>disjoint()
        .map(entry -> entry.fields().getOrDefault("resource_id", ""))
        .collect()
        .in(HashSet<String>::new, HashSet::add)
        .map(Set::copyOf);
  }
}
