package dev.fencepost.kernel.audit.ledger;

import java.time.Instant;
import java.util.Comparator;

/** The id of an entry in a Redis stream: when it was written, and which one within that time. */
record StreamId(long millis, long number) implements Comparable<StreamId> {

  /** Before every entry. */
  static final StreamId NONE = new StreamId(0, 0);

  private static final Comparator<StreamId> ORDER =
      Comparator.comparingLong(StreamId::millis).thenComparingLong(StreamId::number);

  static StreamId parse(String text) {
    var dash = text.indexOf('-');
    return new StreamId(
        Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
  }

  Instant time() {
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public int compareTo(StreamId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return millis + "-" + number;
  }
}
