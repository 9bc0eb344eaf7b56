package dev.fencepost.kernel.fence;

import dev.fencepost.platform.telemetry.LogFacts;

/**
 * A shard. All keys of one asset or device carry its hash tag, so one script touches one slot, on
 * one Redis as on a cluster.
 */
public record Lane(int number) {

  public Lane {
    if (number < 0) {
      throw new IllegalArgumentException("lanes are numbered from 0, but was " + number);
    }
  }

  /** What log lines about what lies in it carry. */
  public LogFacts facts() {
    return LogFacts.NONE.lane(number);
  }

  /** A key of this lane, e.g. {@code assessment:{17}:ticket:t17-01j…}. */
  public String key(String feature, String kind, String id) {
    return feature + ":{" + number + "}:" + kind + ":" + id;
  }

  /** A key there is one of per lane, e.g. {@code assessment:{17}:agenda}. */
  public String key(String feature, String kind) {
    return feature + ":{" + number + "}:" + kind;
  }
}
