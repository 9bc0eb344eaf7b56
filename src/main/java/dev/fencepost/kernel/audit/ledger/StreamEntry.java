package dev.fencepost.kernel.audit.ledger;

import java.util.Map;

/** One event as a lane's stream keeps it. */
record StreamEntry(StreamId id, Map<String, String> fields) {

  StreamEntry {
    fields = Map.copyOf(fields);
  }
}
