package dev.fencepost.assessment.threat;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpssCsvTest {

  private static final String HEADER = "cve,epss,percentile\n";

  @Test
  void the_bundled_day_is_read_whole() throws IOException {
    try (var text =
        requireNonNull(
            EpssCsvTest.class.getResourceAsStream("/samples/epss/epss_scores-sample.csv"))) {
      var day = EpssCsv.read(text);
      assertThat(day.date()).isEqualTo("2026-08-16");
      assertThat(day.scores()).hasSize(4029).containsEntry("CVE-1999-0017", 0.02002);
    }
  }

  @Test
  void a_file_without_the_comment_line_has_no_date() throws IOException {
    var day = read(HEADER + "CVE-2021-44228,0.97,1.0\n");
    assertThat(day.date()).isNull();
    assertThat(day.scores()).isEqualTo(Map.of("CVE-2021-44228", 0.97));
  }

  @Test
  void columns_are_found_by_name() throws IOException {
    assertThat(read("percentile,epss,cve\n0.5,0.25,CVE-2021-44228\n").scores())
        .isEqualTo(Map.of("CVE-2021-44228", 0.25));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.5", "-0.1", "NaN", "Infinity", "", "0x1p-3", "0.5f", "1.00001", "٠.5", "1e9"})
  void a_number_that_is_no_probability_breaks_its_row_only(String number) throws IOException {
    var day = read(HEADER + "CVE-2021-44228," + number + ",1\nCVE-2014-0160,0.1,1\n");
    assertThat(day.scores()).isEqualTo(Map.of("CVE-2014-0160", 0.1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "0.0", "1.0", "0.97224", "9.5e-05"})
  void every_spelling_of_a_probability_is_read(String number) throws IOException {
    assertThat(read(HEADER + "CVE-2021-44228," + number + ",1\n").scores())
        .containsEntry("CVE-2021-44228", Double.valueOf(number));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>Sign in</html>",
        "CVE-2021-44228,0.97,1.0\n",
        HEADER,
        HEADER + "CVE-2021-44228,0.9,1\nbroken\nbroken\n",
      })
  void what_is_no_days_scores_is_refused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(UnusableFeed.class);
  }

  private static EpssDay read(String text) throws IOException {
    return EpssCsv.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
