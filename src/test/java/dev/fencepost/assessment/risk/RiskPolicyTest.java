package dev.fencepost.assessment.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import dev.fencepost.assessment.advisory.Severity;
import dev.fencepost.assessment.threat.Enriched;
import dev.fencepost.asset.Criticality;
import dev.fencepost.asset.Exposure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RiskPolicyTest {

  private static final List<@Nullable Double> SCORES =
      Arrays.asList(0.0, 3.9, 6.9, 7.0, 8.9, 9.0, 10.0);
  private static final List<Severity> WORDS =
      List.of(Severity.NONE, Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL);
  private static final List<KnownExploited> EXPLOITED =
      List.of(KnownExploited.NO, KnownExploited.UNKNOWN, KnownExploited.YES);
  private static final List<@Nullable Double> EPSS = Arrays.asList(null, 0.0, 0.0999, 0.1, 1.0);
  private static final List<@Nullable Criticality> CRITICALITIES =
      Arrays.asList(
          null, Criticality.LOW, Criticality.MEDIUM, Criticality.HIGH, Criticality.CRITICAL);
  private static final List<Exposure> EXPOSURES =
      List.of(Exposure.UNKNOWN, Exposure.INTERNAL, Exposure.PUBLIC);
  private static final int SHUFFLE_SEED = 20261130;

  private final RiskPolicy policy = new RiskPolicy(new Defaults());

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # cvss, word, exploited, epss, EPSS there, exposure, criticality, level, rule
          -,    UNKNOWN,  YES,     -,    true,  INTERNAL, -,        HIGH,    KNOWN_EXPLOITED
          0.0,  NONE,     YES,     0.0,  true,  INTERNAL, LOW,      HIGH,    KNOWN_EXPLOITED
          10.0, CRITICAL, YES,     0.9,  true,  PUBLIC,   CRITICAL, HIGH,    KNOWN_EXPLOITED
          9.0,  CRITICAL, NO,      0.0,  true,  INTERNAL, LOW,      HIGH,    CRITICAL
          9.0,  CRITICAL, UNKNOWN, -,    false, UNKNOWN,  -,        HIGH,    CRITICAL
          -,    CRITICAL, NO,      0.0,  true,  INTERNAL, LOW,      HIGH,    CRITICAL
          8.9,  HIGH,     NO,      0.10, true,  INTERNAL, LOW,      HIGH,    HIGH_AND_LIKELY
          7.0,  HIGH,     NO,      0.10, true,  INTERNAL, LOW,      HIGH,    HIGH_AND_LIKELY
          -,    HIGH,     NO,      0.10, true,  INTERNAL, LOW,      HIGH,    HIGH_AND_LIKELY
          6.9,  MEDIUM,   NO,      0.99, true,  INTERNAL, LOW,      LOW,     NONE
          7.0,  HIGH,     NO,      0.09, true,  PUBLIC,   LOW,      HIGH,    HIGH_AND_PUBLIC
          -,    HIGH,     NO,      0.09, true,  PUBLIC,   LOW,      HIGH,    HIGH_AND_PUBLIC
          6.9,  MEDIUM,   NO,      0.99, true,  PUBLIC,   CRITICAL, LOW,     NONE
          7.0,  HIGH,     NO,      0.09, true,  INTERNAL, HIGH,     HIGH,    HIGH_ON_IMPORTANT_ASSET
          7.0,  HIGH,     NO,      0.09, true,  INTERNAL, CRITICAL, HIGH,    HIGH_ON_IMPORTANT_ASSET
          7.0,  HIGH,     NO,      0.09, true,  INTERNAL, MEDIUM,   LOW,     NONE
          7.0,  HIGH,     UNKNOWN, 0.09, true,  INTERNAL, LOW,      HIGH,    HIGH_AND_UNCHECKED
          7.0,  HIGH,     NO,      -,    false, INTERNAL, LOW,      HIGH,    HIGH_AND_UNCHECKED
          -,    HIGH,     UNKNOWN, -,    true,  INTERNAL, LOW,      HIGH,    HIGH_AND_UNCHECKED
          6.9,  MEDIUM,   UNKNOWN, -,    false, PUBLIC,   CRITICAL, LOW,     NONE
          8.9,  HIGH,     NO,      -,    true,  INTERNAL, -,        LOW,     NONE
          8.9,  HIGH,     NO,      0.09, true,  UNKNOWN,  -,        LOW,     NONE
          -,    HIGH,     NO,      0.09, true,  UNKNOWN,  -,        LOW,     NONE
          5.0,  CRITICAL, NO,      0.0,  true,  INTERNAL, LOW,      LOW,     NONE
          -,    MEDIUM,   NO,      0.99, true,  PUBLIC,   CRITICAL, LOW,     NONE
          -,    LOW,      UNKNOWN, -,    false, PUBLIC,   CRITICAL, LOW,     NONE
          -,    NONE,     NO,      0.0,  true,  PUBLIC,   CRITICAL, LOW,     NONE
          0.0,  UNKNOWN,  NO,      0.0,  true,  INTERNAL, LOW,      LOW,     NONE
          -,    UNKNOWN,  NO,      0.99, true,  PUBLIC,   CRITICAL, UNKNOWN, UNSCORED
          -,    UNKNOWN,  UNKNOWN, -,    false, PUBLIC,   CRITICAL, UNKNOWN, UNSCORED
          """)
  void the_whole_table(
      @Nullable Double cvss,
      Severity word,
      KnownExploited exploited,
      @Nullable Double epss,
      boolean epssThere,
      Exposure exposure,
      @Nullable Criticality criticality,
      RiskLevel level,
      Rule rule) {
    var finding = finding("GHSA-1", cvss, word, exploited, epss);
    var enriched = new Enriched(List.of(finding), true, epssThere, null, null);
    assertThat(
            Circumstances.of(enriched, exposure, criticality, Thresholds.of(new Defaults()))
                .judge(finding))
        .isEqualTo(rule);
    assertThat(policy.decide(enriched, exposure, criticality, "local").level()).isEqualTo(level);
  }

  @Test
  void raising_any_input_never_lowers_the_level() {
    var raises = 0;
    for (var point : everyPoint()) {
      for (var raised : point.raised()) {
        assertThat(rank(raised))
            .as("%s raised to %s", point, raised)
            .isGreaterThanOrEqualTo(rank(point));
        raises++;
      }
    }
    assertThat(raises).isGreaterThan(10_000);
  }

  /**
   * Save for a flaw that only the catalogue makes a high risk: that it is listed is then unknown.
   */
  @Test
  void losing_both_feeds_never_lowers_the_level() {
    for (var point : everyPoint()) {
      if (point.exploited != KnownExploited.YES) {
        assertThat(rank(point.withoutFeeds()))
            .as("%s without feeds", point)
            .isGreaterThanOrEqualTo(rank(point));
      }
    }
  }

  @Test
  void one_more_finding_never_lowers_the_level() {
    var low = finding("GHSA-low", 1.0, Severity.LOW, KnownExploited.NO, 0.0);
    var unscored = finding("GHSA-unscored", null, Severity.UNKNOWN, KnownExploited.NO, null);
    var high = finding("GHSA-high", 9.8, Severity.CRITICAL, KnownExploited.NO, 0.0);
    assertThat(decide(low).level()).isEqualTo(RiskLevel.LOW);
    assertThat(decide(low, unscored).level()).isEqualTo(RiskLevel.UNKNOWN);
    assertThat(decide(unscored, low, high).level()).isEqualTo(RiskLevel.HIGH);
  }

  @Test
  void no_findings_are_a_low_risk_with_evidence() {
    var verdict =
        policy.decide(
            new Enriched(List.of(), true, true, "2025.08.25", "2026-08-16"),
            Exposure.PUBLIC,
            Criticality.CRITICAL,
            "local");
    assertThat(verdict)
        .isEqualTo(
            new Verdict(
                RiskLevel.LOW,
                List.of("no known vulnerability in the components that could be judged"),
                new Evidence("local", "2025.08.25", "2026-08-16")));
  }

  @Test
  void reasons_name_the_rule_and_the_finding_weightiest_first() {
    var verdict =
        decide(
            finding("GHSA-c", null, Severity.UNKNOWN, KnownExploited.NO, null),
            finding("GHSA-b", 9.8, Severity.CRITICAL, KnownExploited.NO, 0.0),
            finding("GHSA-e", null, Severity.CRITICAL, KnownExploited.NO, 0.0),
            finding("GHSA-a", 7.5, Severity.HIGH, KnownExploited.NO, 0.25),
            finding("GHSA-x", 2.0, Severity.LOW, KnownExploited.NO, 0.0),
            finding("GHSA-d", 5.0, Severity.MEDIUM, KnownExploited.YES, 0.0));
    assertThat(verdict.reasons())
        .containsExactly(
            "known to be exploited: GHSA-d in pkg:npm/left@1.0.0",
            "CVSS 9.8 >= 9.0: GHSA-b in pkg:npm/left@1.0.0",
            "severity critical: GHSA-e in pkg:npm/left@1.0.0",
            "CVSS 7.5 >= 7.0 and EPSS 0.25 >= 0.1: GHSA-a in pkg:npm/left@1.0.0",
            "findings that could not be scored: 1");
  }

  @Test
  void more_reasons_than_people_read_are_counted() {
    var findings =
        IntStream.range(0, 22)
            .mapToObj(i -> finding("GHSA-" + i, 9.8, Severity.CRITICAL, KnownExploited.NO, 0.0))
            .toArray(Finding[]::new);
    assertThat(decide(findings).reasons()).hasSize(11).last().isEqualTo("and 12 more");
    assertThat(decide(Arrays.copyOf(findings, 10)).reasons()).hasSize(10);
  }

  @Test
  void the_order_of_the_findings_changes_nothing() {
    var findings = new ArrayList<Finding>();
    for (var point : everyPoint()) {
      findings.add(point.finding());
    }
    var verdict = decide(findings.toArray(Finding[]::new));
    Collections.shuffle(findings, new Random(SHUFFLE_SEED));
    assertThat(decide(findings.toArray(Finding[]::new))).isEqualTo(verdict);
  }

  @Test
  void a_feed_that_was_away_is_said() {
    var verdict =
        policy.decide(
            new Enriched(List.of(), false, false, null, null), Exposure.UNKNOWN, null, "osv-api");
    assertThat(verdict.reasons())
        .contains("the KEV catalogue was not available", "EPSS scores were not available");
    assertThat(verdict.evidence()).isEqualTo(new Evidence("osv-api", null, null));
  }

  @Test
  void people_are_told_of_high_and_of_unscored_but_not_of_what_was_not_assessed() {
    assertThat(decide(finding("G", 9.8, Severity.CRITICAL, KnownExploited.NO, 0.0)).alarms())
        .isTrue();
    assertThat(decide(finding("G", null, Severity.UNKNOWN, KnownExploited.NO, null)).alarms())
        .isTrue();
    assertThat(decide().alarms()).isFalse();
    assertThat(Verdict.offline().alarms()).isFalse();
    assertThat(Verdict.offline())
        .isEqualTo(
            new Verdict(RiskLevel.UNKNOWN, List.of("not assessed: offline"), Evidence.none()));
    assertThat(Verdict.notAssessed("no inventory").alarms()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"10.1, 7, 0.1", "9, -1, 0.1", "9, 7, 1.1", "NaN, 7, 0.1", "9, 7, NaN"})
  void thresholds_outside_their_scale_are_refused(double critical, double high, double epss) {
    assertThatThrownBy(() -> new Thresholds(critical, high, epss, Criticality.HIGH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be in [0, ");
  }

  private Verdict decide(Finding... findings) {
    return policy.decide(
        new Enriched(List.of(findings), true, true, null, null),
        Exposure.INTERNAL,
        Criticality.LOW,
        "local");
  }

  private int rank(Point point) {
    return switch (policy
        .decide(point.enriched(), point.exposure, point.criticality, "local")
        .level()) {
      case LOW -> 0;
      case UNKNOWN -> 1;
      case HIGH -> 2;
    };
  }

  private static List<Point> everyPoint() {
    var points = new ArrayList<Point>();
    for (var exploited : EXPLOITED) {
      for (var epss : EPSS) {
        for (var exposure : EXPOSURES) {
          for (var criticality : CRITICALITIES) {
            SCORES.forEach(
                score ->
                    points.add(
                        new Point(
                            score,
                            Severity.UNKNOWN,
                            exploited,
                            epss,
                            true,
                            exposure,
                            criticality)));
            WORDS.forEach(
                word ->
                    points.add(
                        new Point(null, word, exploited, epss, true, exposure, criticality)));
          }
        }
      }
    }
    return points;
  }

  /** One input of the table. */
  private record Point(
      @Nullable Double score,
      Severity word,
      KnownExploited exploited,
      @Nullable Double epss,
      boolean epssThere,
      Exposure exposure,
      @Nullable Criticality criticality) {

    Finding finding() {
      return RiskPolicyTest.finding("GHSA-1", score, word, exploited, epss);
    }

    Enriched enriched() {
      return new Enriched(List.of(finding()), true, epssThere, null, null);
    }

    /** This point with one input one step higher. */
    List<Point> raised() {
      var raised = new ArrayList<Point>();
      after(SCORES, score)
          .forEach(
              s ->
                  raised.add(
                      new Point(s, word, exploited, epss, epssThere, exposure, criticality)));
      if (score == null) {
        after(WORDS, word)
            .forEach(
                w ->
                    raised.add(
                        new Point(null, w, exploited, epss, epssThere, exposure, criticality)));
      }
      after(EXPLOITED, exploited)
          .forEach(
              k -> raised.add(new Point(score, word, k, epss, epssThere, exposure, criticality)));
      after(EPSS, epss)
          .forEach(
              e ->
                  raised.add(
                      new Point(score, word, exploited, e, epssThere, exposure, criticality)));
      after(EXPOSURES, exposure)
          .forEach(
              x -> raised.add(new Point(score, word, exploited, epss, epssThere, x, criticality)));
      after(CRITICALITIES, criticality)
          .forEach(
              c -> raised.add(new Point(score, word, exploited, epss, epssThere, exposure, c)));
      return raised;
    }

    Point withoutFeeds() {
      return new Point(score, word, KnownExploited.UNKNOWN, null, false, exposure, criticality);
    }

    private static <T extends @Nullable Object> List<T> after(List<T> scale, T value) {
      var at = scale.indexOf(value);
      return at < 0 || at + 1 == scale.size() ? List.of() : List.of(scale.get(at + 1));
    }
  }

  private static Finding finding(
      String id,
      @Nullable Double cvss,
      Severity word,
      KnownExploited exploited,
      @Nullable Double epss) {
    return new Finding(
        id,
        List.of(),
        List.of(),
        "pkg:npm/left@1.0.0",
        word,
        cvss,
        null,
        List.of(),
        List.of(),
        exploited,
        epss);
  }

  /** The defaults that design.md names. */
  private static final class Defaults implements RiskConfig {

    @Override
    public double cvssCritical() {
      return 9.0;
    }

    @Override
    public double cvssHigh() {
      return 7.0;
    }

    @Override
    public double epss() {
      return 0.10;
    }

    @Override
    public Criticality criticality() {
      return Criticality.HIGH;
    }

    @Override
    public int maxReasons() {
      return 10;
    }
  }
}
