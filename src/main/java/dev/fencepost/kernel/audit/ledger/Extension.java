package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.audit.RecordedEvent;
import java.util.List;
import java.util.Map;

/**
 * What is added to a chain at once.
 *
 * @param before where the chain must end for this to fit
 * @param after where it ends then
 * @param processes the newest number of each process whose events are among these
 */
record Extension(Head before, Head after, List<RecordedEvent> events, Map<String, Long> processes) {

  Extension {
    events = List.copyOf(events);
    processes = Map.copyOf(processes);
  }
}
