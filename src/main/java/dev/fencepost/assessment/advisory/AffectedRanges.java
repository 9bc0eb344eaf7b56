package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.Intervals.Interval;
import dev.fencepost.assessment.advisory.Judgement.CannotTell;
import dev.fencepost.assessment.advisory.Judgement.IsAffected;
import dev.fencepost.assessment.advisory.Judgement.NotAffected;
import dev.fencepost.assessment.advisory.OsvRecord.Affected;
import dev.fencepost.assessment.advisory.OsvRecord.Range;
import dev.fencepost.assessment.advisory.Target.Judgeable;
import dev.fencepost.assessment.advisory.version.UnparsableVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * OSV's rule: a version is affected if an entry about its package lists it, or has a range with an
 * interval around it. Where a range cannot be read and nothing else matched, there is no answer.
 */
final class AffectedRanges {

  private final Judgeable target;
  private final String advisory;
  private boolean affected;
  private @Nullable String obstacle;
  private final List<String> fixes = new ArrayList<>();

  private AffectedRanges(Judgeable target, String advisory) {
    this.target = target;
    this.advisory = advisory;
  }

  /** Judges a version by one advisory's entries about its package. */
  static Judgement judge(Judgeable target, String advisory, List<Affected> entries) {
    var rule = new AffectedRanges(target, advisory);
    entries.forEach(rule::look);
    return rule.judgement();
  }

  private void look(Affected entry) {
    affected |= entry.versions().contains(target.version());
    if (entry.ranges().isEmpty() && entry.versions().isEmpty()) {
      obstacle = advisory + " names no versions";
    }
    entry.ranges().forEach(this::look);
  }

  private void look(Range range) {
    var version = target.parsed();
    if (version == null) {
      obstacle = target.unparsable();
      return;
    }
    try {
      Intervals.of(range, target.order()).around(version).ifPresent(this::inside);
    } catch (UnparsableVersion e) {
      obstacle = "a range of " + advisory + " cannot be read: " + e.getMessage();
    }
  }

  private void inside(Interval interval) {
    affected = true;
    if (interval.fix() != null) {
      fixes.add(interval.fix());
    }
  }

  private Judgement judgement() {
    if (affected) {
      return new IsAffected(
          fixes.stream().distinct().sorted(Comparator.comparing(target.order()::parse)).toList());
    }
    return obstacle == null ? new NotAffected() : new CannotTell(obstacle);
  }
}
