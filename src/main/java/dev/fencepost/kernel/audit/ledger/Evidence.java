package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** History as somebody without the service holds it: a file, or the database. */
interface Evidence extends AutoCloseable {

  Set<Integer> lanes();

  /** Behind what a lane begins. */
  Head anchor(int lane);

  /** Up to where a lane should come; 0 if nobody says. */
  long headSequence(int lane);

  /** Hands events over in the order of their sequences, until the taker says false. */
  void walk(int lane, Predicate<RecordedEvent> taker);

  /** The event that follows one with this hash. */
  Optional<RecordedEvent> linkedTo(int lane, String hash);

  /** Partitions that were dropped by someone else than the archive. */
  List<String> lostPartitions();

  List<Checkpoint> checkpoints();

  @Override
  void close();
}
