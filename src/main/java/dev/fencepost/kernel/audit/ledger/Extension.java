package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.ReadModel;
import dev.fencepost.kernel.audit.RecordedEvent;
import java.util.List;
import java.util.Map;

/**
 * What is added to a chain at once.
 *
 * @param before where the chain must end for this to fit
 * @param after where it ends then
 * @param batch the events, and what they carry besides
 * @param processes the newest number of each process whose events are among these
 */
record Extension(Head before, Head after, ReadModel.Batch batch, Map<String, Long> processes) {

  Extension {
    processes = Map.copyOf(processes);
  }

  List<RecordedEvent> events() {
    return batch.events();
  }
}
