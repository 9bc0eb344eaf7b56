package dev.fencepost.kernel.audit.ledger;

import java.util.Locale;

/**
 * What is wrong with a chain, at its first bad place.
 *
 * @param sequence of the first event that cannot be trusted, or is not there
 * @param problem one sentence for people
 */
record Damage(int lane, long sequence, Kind kind, String problem) {

  /** The kinds of damage that can be told apart. */
  enum Kind {
    CHANGED,
    MISSING,
    SWAPPED,
    INSERTED,
    CUT_OFF,
    PARTITION_MISSING,
    CHECKPOINT_FORGED,
    UNKNOWN_VERSION
  }

  @Override
  public String toString() {
    return "lane %d, sequence %d, %s: %s"
        .formatted(lane, sequence, kind.name().toLowerCase(Locale.ROOT), problem);
  }
}
