package dev.fencepost.assessment.advisory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CvssScoreTest {

  private static final double ROUNDING = 0.1 + 1e-9;

  @ParameterizedTest
  @CsvFileSource(files = "src/test/resources/fixtures/cvss/expected-scores.csv", numLinesToSkip = 1)
  void a_vector_has_the_score_and_severity_of_all_its_metrics(
      String vector, String version, double base, double full, String ofBase, Severity ofFull) {
    var score = CvssScore.of(vector).orElseThrow();

    assertThat(score.score()).isCloseTo(full, within(ROUNDING));
    assertThat(score.severity()).isEqualTo(ofFull);
    assertThat(score.vector()).isEqualTo(vector);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "high",
        "9.8",
        "CVSS:3.1/AV:N",
        "CVSS:3.1/AV:Z/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H",
        "CVSS:4.0/AV:N/AC:L",
        "CVSS:5.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H",
        "AV:N/AC:L",
      })
  void a_malformed_vector_has_no_score(String vector) {
    assertThat(CvssScore.of(vector)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"MODERATE, MEDIUM", "medium, MEDIUM", "CRITICAL, CRITICAL", "negligible, UNKNOWN"})
  void a_word_is_a_severity_if_it_is_known(String word, Severity severity) {
    assertThat(CvssScore.ofWord(word)).isEqualTo(severity);
  }
}
