package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.OsvRecord.Event;
import dev.fencepost.assessment.advisory.OsvRecord.Event.Kind;
import dev.fencepost.assessment.advisory.OsvRecord.Range;
import dev.fencepost.assessment.advisory.version.UnparsableVersion;
import dev.fencepost.assessment.advisory.version.VersionOrder;
import dev.fencepost.assessment.advisory.version.VersionOrder.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One range's events, paired into intervals. OSV's rule walks the sorted events and lets the last
 * one at or below a version decide; intervals between an opening and the next closing event say the
 * same, and also know which fix ends them.
 */
final class Intervals {

  /** In OSV, {@code introduced: "0"} comes before every version. */
  private static final String BEFORE_EVERYTHING = "0";

  private static final String NO_LIMIT = "*";

  /**
   * Affected versions without a gap.
   *
   * @param from the first one; absent if there is none before it
   * @param end the first that is not affected, or with {@code inclusive} the last that is; absent
   *     if all later ones are affected
   * @param fix the end as the advisory spells it, if it is a fix
   */
  record Interval(
      @Nullable Version from, @Nullable Version end, boolean inclusive, @Nullable String fix) {

    boolean contains(Version version) {
      return (from == null || version.compareTo(from) >= 0)
          && (end == null || version.compareTo(end) < (inclusive ? 1 : 0));
    }
  }

  private record Boundary(Event event, @Nullable Version at) {

    boolean opens() {
      return event.kind() == Kind.INTRODUCED;
    }

    int compareTo(Boundary other) {
      if (at == null || other.at == null) {
        return Boolean.compare(at != null, other.at != null);
      }
      return at.compareTo(other.at);
    }
  }

  private final List<Interval> intervals = new ArrayList<>();
  private final List<Version> limits = new ArrayList<>();
  private boolean unlimited;
  private @Nullable Boundary open;

  /**
   * Sorts and pairs the events of a range.
   *
   * @throws UnparsableVersion if any boundary is no version: then none can be placed
   */
  static Intervals of(Range range, VersionOrder order) {
    var intervals = new Intervals();
    var boundaries = new ArrayList<Boundary>();
    for (var event : range.events()) {
      if (event.kind() == Kind.LIMIT) {
        intervals.limit(event.version(), order);
      } else {
        boundaries.add(boundary(event, order));
      }
    }
    boundaries.sort(Boundary::compareTo);
    intervals.pair(boundaries);
    return intervals;
  }

  /** The interval a version lies in, if it lies before a limit and in any. */
  Optional<Interval> around(Version version) {
    return beforeLimits(version)
        ? intervals.stream().filter(interval -> interval.contains(version)).findFirst()
        : Optional.empty();
  }

  private boolean beforeLimits(Version version) {
    return unlimited
        || limits.isEmpty()
        || limits.stream().anyMatch(limit -> version.compareTo(limit) < 0);
  }

  private void limit(String version, VersionOrder order) {
    if (version.equals(NO_LIMIT)) {
      unlimited = true;
    } else {
      limits.add(order.parse(version));
    }
  }

  private static Boundary boundary(Event event, VersionOrder order) {
    return event.kind() == Kind.INTRODUCED && event.version().equals(BEFORE_EVERYTHING)
        ? new Boundary(event, null)
        : new Boundary(event, order.parse(event.version()));
  }

  private void pair(List<Boundary> sorted) {
    var left = new ArrayDeque<>(sorted);
    while (!left.isEmpty()) {
      pairEqual(takeEqual(left));
    }
    if (open != null) {
      intervals.add(new Interval(open.at(), null, false, null));
    }
  }

  private static List<Boundary> takeEqual(ArrayDeque<Boundary> sorted) {
    var equal = new ArrayList<Boundary>();
    var first = sorted.getFirst();
    while (!sorted.isEmpty() && sorted.getFirst().compareTo(first) == 0) {
      equal.add(sorted.removeFirst());
    }
    return equal;
  }

  /**
   * Events of one version, which files list in any order: what is open closes before something new
   * opens, and what opens may close at once ({@code [1.0, 1.0]}).
   */
  private void pairEqual(List<Boundary> equal) {
    while (!equal.isEmpty()) {
      var wanted = open == null;
      var next = equal.stream().filter(b -> b.opens() == wanted).findFirst().orElse(equal.get(0));
      equal.remove(next);
      apply(next);
    }
  }

  private void apply(Boundary boundary) {
    if (boundary.opens()) {
      open = open == null ? boundary : open;
    } else if (open != null) {
      var fixed = boundary.event().kind() == Kind.FIXED;
      intervals.add(
          new Interval(
              open.at(), boundary.at(), !fixed, fixed ? boundary.event().version() : null));
      open = null;
    }
  }
}
