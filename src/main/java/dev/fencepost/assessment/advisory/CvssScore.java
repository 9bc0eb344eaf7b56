package dev.fencepost.assessment.advisory;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import us.springett.cvss.Cvss;
import us.springett.cvss.CvssV2;
import us.springett.cvss.MalformedVectorException;

/**
 * A CVSS vector and its score. For version 4 the score is that of the full vector, threat and
 * environmental metrics included, as GitHub's severity word is; for versions 2 and 3 it is the base
 * score, which their temporal metrics do not change.
 *
 * @param score in [0, 10]
 */
record CvssScore(String vector, double score, Severity severity) {

  /** Worst first; of equal scores the one by the newest CVSS version. */
  static final Comparator<CvssScore> WORST_FIRST =
      Comparator.comparingDouble(CvssScore::score)
          .thenComparing(CvssScore::vector) // "AV:…" < "CVSS:3.0/…" < "CVSS:3.1/…" < "CVSS:4.0/…"
          .reversed();

  private static final double MEDIUM_FROM = 4.0;
  private static final double HIGH_FROM = 7.0;
  private static final double CRITICAL_FROM = 9.0;

  /** Reads a vector of CVSS 2, 3.0, 3.1 or 4.0; empty if it is malformed. */
  static Optional<CvssScore> of(String vector) {
    try {
      return Optional.ofNullable(Cvss.fromVector(vector)).map(cvss -> of(vector, cvss));
    } catch (MalformedVectorException | IllegalArgumentException | NullPointerException e) {
      return Optional.empty(); // the library's ways to say that a metric is wrong or missing
    }
  }

  private static CvssScore of(String vector, Cvss cvss) {
    var score = cvss.calculateScore().getBaseScore();
    return new CvssScore(
        vector, score, cvss instanceof CvssV2 ? severityOfV2(score) : severity(score));
  }

  /** The severity a database's word stands for; GitHub says MODERATE for MEDIUM. */
  static Severity ofWord(String word) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "LOW" -> Severity.LOW;
      case "MODERATE", "MEDIUM" -> Severity.MEDIUM;
      case "HIGH", "IMPORTANT" -> Severity.HIGH;
      case "CRITICAL" -> Severity.CRITICAL;
      default -> Severity.UNKNOWN;
    };
  }

  private static Severity severity(double score) {
    if (score == 0) {
      return Severity.NONE;
    }
    return score >= CRITICAL_FROM ? Severity.CRITICAL : severityOfV2(score);
  }

  /** CVSS 2 knows neither NONE nor CRITICAL. */
  private static Severity severityOfV2(double score) {
    if (score >= HIGH_FROM) {
      return Severity.HIGH;
    }
    return score >= MEDIUM_FROM ? Severity.MEDIUM : Severity.LOW;
  }
}
