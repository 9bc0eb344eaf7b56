package dev.fencepost.assessment.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlarmTextTest {

  @Test
  void a_high_risk_says_what_where_and_how_bad() {
    assertThat(AlarmText.of(Alarms.high(), false).text())
        .isEqualTo(
            """
            Fencepost: high-risk asset cam-01 (Front door)
            Message 5-01jdtest, opened 2026-11-30T11:59:57Z
            a finding is known exploited
            - GHSA-jfh8-c2jp-5v3q (CVE-2021-44228) in \
            pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1: CVSS 10.0 CRITICAL, \
            known exploited, EPSS 0.97, fixed in 2.15.0""");
  }

  @Test
  void an_unknown_risk_says_that_someone_must_look() {
    assertThat(AlarmText.of(Alarms.of(Alarm.Level.UNKNOWN, "x", List.of()), false).text())
        .contains("could not be scored")
        .contains("Someone must look");
  }

  @Test
  void a_repeat_says_that_it_may_be_one_under_the_same_number() {
    assertThat(AlarmText.of(Alarms.high(), true).text())
        .containsIgnoringCase("may repeat")
        .contains("5-01jdtest");
    assertThat(AlarmText.of(Alarms.high(), false).text()).doesNotContainIgnoringCase("may repeat");
  }

  @Test
  void the_worst_findings_come_first_and_the_rest_is_counted() {
    var findings =
        IntStream.rangeClosed(1, 12).mapToObj(i -> Alarms.scored("V-" + i, i / 2.0)).toList();
    var lines = AlarmText.of(Alarms.of(Alarm.Level.HIGH, "x", findings), false).lines();

    assertThat(lines).filteredOn(line -> line.startsWith("- V-")).hasSize(10);
    assertThat(lines.get(2)).startsWith("- V-12 ");
    assertThat(lines.get(lines.size() - 1)).isEqualTo("- and 2 more");
  }

  @Test
  void a_known_exploited_finding_comes_before_a_higher_score() {
    var findings = List.of(Alarms.scored("V-1", 10.0), Alarms.LOG4SHELL);

    assertThat(AlarmText.worst(findings, 1)).containsExactly(Alarms.LOG4SHELL);
  }

  @Test
  void a_display_name_cannot_forge_a_line() {
    var alarm = Alarms.of(Alarm.Level.HIGH, "door\nVerdict\u2028: fine\u202e\t", List.of());

    assertThat(AlarmText.of(alarm, false).title())
        .isEqualTo("Fencepost: high-risk asset cam-01 (door Verdict : fine )");
  }

  @Test
  void a_cut_keeps_whole_code_points_and_the_limit() {
    var text = "高危😀ab".repeat(50);
    for (var limit = 3; limit < 600; limit++) {
      var cut = Utf8.cut(text, limit);
      assertThat(cut.getBytes(UTF_8).length).isLessThanOrEqualTo(limit).isGreaterThan(limit - 4);
      assertThat(text).startsWith(cut.substring(0, cut.length() - 1));
      assertThat(cut).endsWith("…").doesNotContain("\ufffd");
    }
    assertThat(Utf8.cut(text, 600)).isEqualTo(text);
  }
}
