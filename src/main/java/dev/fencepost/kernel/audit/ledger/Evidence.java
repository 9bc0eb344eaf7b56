package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** History as somebody without the service holds it: a file, or the database. */
interface Evidence extends AutoCloseable {

  Set<Integer> lanes();

  /** What was signed of months that were archived. */
  List<Checkpoint> seals();

  /** Behind what a lane begins. */
  Head anchor(int lane, Seals seals);

  /** Up to where a lane should come; 0 if nobody says. */
  long headSequence(int lane);

  /** Hands the events behind an anchor over by their sequences, until the taker says false. */
  void walk(Head anchor, Predicate<RecordedEvent> taker);

  /** The event that follows one with this hash. */
  Optional<RecordedEvent> linkedTo(int lane, String hash);

  /** Partitions that were dropped by someone else than the archive. */
  List<String> lostPartitions();

  List<Checkpoint> checkpoints();

  @Override
  void close();
}
