package dev.fencepost.kernel.audit.ledger;

import java.util.List;

/**
 * The next events of a lane.
 *
 * @param lost whether events may be missing before the first one: the last one that was taken is
 *     not where it was left
 */
record Slice(List<StreamEntry> entries, boolean lost) {

  Slice {
    entries = List.copyOf(entries);
  }
}
