package dev.fencepost.assessment.risk;

import dev.fencepost.assessment.threat.Enriched;
import dev.fencepost.asset.Criticality;
import dev.fencepost.asset.Exposure;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns findings into a verdict: HIGH if any finding is, else UNKNOWN if any could not be scored,
 * else LOW. The same input gives the same verdict, in whatever order the findings come.
 */
@Startup // a threshold that makes no sense stops the start, not the first ticket
@ApplicationScoped
public class RiskPolicy {

  private final Thresholds thresholds;
  private final int maxReasons;

  RiskPolicy(RiskConfig config) {
    thresholds = Thresholds.of(config);
    maxReasons = config.maxReasons();
    if (maxReasons < 1) {
      throw new IllegalArgumentException(
          "fencepost.risk.max-reasons must be at least 1, but was " + maxReasons);
    }
  }

  /**
   * Decides.
   *
   * @param criticality absent if nobody stated it
   * @param advisorySource kept as evidence
   */
  public Verdict decide(
      Enriched enriched,
      Exposure exposure,
      @Nullable Criticality criticality,
      String advisorySource) {
    var circumstances = Circumstances.of(enriched, exposure, criticality, thresholds);
    var judgements =
        enriched.findings().stream()
            .map(finding -> new Judgement(finding, circumstances.judge(finding)))
            .sorted(Judgement.WEIGHTIEST_FIRST)
            .toList();
    var level = judgements.isEmpty() ? RiskLevel.LOW : judgements.get(0).rule().level();
    var evidence = new Evidence(advisorySource, enriched.kevCatalogVersion(), enriched.epssDate());
    return new Verdict(level, reasons(level, judgements, enriched), evidence);
  }

  private List<String> reasons(RiskLevel level, List<Judgement> judgements, Enriched enriched) {
    var reasons =
        level == RiskLevel.LOW
            ? Stream.of(lowReason(judgements.size()))
            : Stream.concat(fired(level, judgements), unscored(level, judgements));
    return Stream.concat(reasons, missing(enriched)).toList();
  }

  private static String lowReason(int findings) {
    return findings == 0
        ? "no known vulnerability in the components that could be judged"
        : "no rule fired for any of " + findings + " findings";
  }

  /** The findings that led to the level: the weightiest in full, the others as a number. */
  private Stream<String> fired(RiskLevel level, List<Judgement> judgements) {
    var decisive = judgements.stream().filter(of -> of.rule().level() == level).toList();
    var shown = decisive.stream().limit(maxReasons).map(of -> of.reason(thresholds));
    var hidden = decisive.size() - maxReasons;
    return hidden > 0 ? Stream.concat(shown, Stream.of("and " + hidden + " more")) : shown;
  }

  /** A high risk must not hide that other findings could not be scored at all. */
  private static Stream<String> unscored(RiskLevel level, List<Judgement> judgements) {
    var count = judgements.stream().filter(of -> of.rule() == Rule.UNSCORED).count();
    return level == RiskLevel.HIGH && count > 0
        ? Stream.of("findings that could not be scored: " + count)
        : Stream.empty();
  }

  private static Stream<String> missing(Enriched enriched) {
    return Stream.of(
            enriched.kevAvailable() ? "" : "the KEV catalogue was not available",
            enriched.epssAvailable() ? "" : "EPSS scores were not available")
        .filter(reason -> !reason.isEmpty());
  }
}
