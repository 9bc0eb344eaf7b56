package dev.fencepost.assessment.threat;

import static java.util.Comparator.naturalOrder;

import dev.fencepost.assessment.advisory.Finding;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One day's scores.
 *
 * @param date {@code YYYY-MM-DD}; older files do not say
 * @param scores by CVE id, each in [0, 1]
 */
record EpssDay(@Nullable String date, Map<String, Double> scores) {

  EpssDay {
    scores = Map.copyOf(scores);
    if (scores.isEmpty()) {
      throw new UnusableFeed("it has no score");
    }
  }

  /** The highest score of a finding's CVE ids; absent is not 0. */
  @Nullable Double ask(Finding finding) {
    return CveIds.of(finding).stream()
        .map(scores::get)
        .filter(Objects::nonNull)
        .max(naturalOrder())
        .orElse(null);
  }

  @Override
  public String toString() {
    return "of " + date + " with " + scores.size() + " scores";
  }
}
