package dev.fencepost.kernel.audit.ledger;

import java.time.Instant;

/**
 * Where a lane's chain ends.
 *
 * @param sequence of its last event; 0 before the first
 * @param hash of its last event; {@link Canonical#GENESIS} before the first
 * @param streamId of the last entry that was taken
 */
record Head(int lane, long sequence, String hash, StreamId streamId, Instant at) {

  static Head beginning(int lane) {
    return new Head(lane, 0, Canonical.GENESIS, StreamId.NONE, Instant.EPOCH);
  }
}
