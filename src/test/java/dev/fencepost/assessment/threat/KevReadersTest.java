package dev.fencepost.assessment.threat;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KevReadersTest {

  private static final String ENTRY = "{\"cveID\":\"CVE-2021-44228\",\"cwes\":[\"CWE-1\"]}";

  @Test
  void the_whole_catalogue_is_read_from_json() throws IOException {
    try (var text = resource("/samples/kev/known_exploited_vulnerabilities.json")) {
      var entries = KevJson.read(text);
      assertThat(entries.version()).isEqualTo("2025.08.25");
      assertThat(entries.cves())
          .hasSize(1404)
          .contains("CVE-2021-44228", "CVE-2014-0160")
          .doesNotContain("CVE-2024-3094");
    }
  }

  @Test
  void the_csv_form_holds_the_same_entries_but_not_the_edition() throws IOException {
    try (var json = resource("/samples/kev/known_exploited_vulnerabilities.json");
        var csv = resource("/fixtures/kev/known_exploited_vulnerabilities.csv")) {
      var entries = KevCsv.read(csv);
      assertThat(entries.cves()).isEqualTo(KevJson.read(json).cves());
      assertThat(entries.version()).isNull();
    }
  }

  @Test
  void fields_nobody_asked_for_may_hold_anything() throws IOException {
    var entries =
        json(
            "{\"x\":{\"vulnerabilities\":[1]},\"count\":1,\"catalogVersion\":\"1\","
                + "\"vulnerabilities\":[{\"y\":{\"cveID\":\"no\"},\"cveID\":\"CVE-2021-44228\"}]}");
    assertThat(entries.cves()).containsExactly("CVE-2021-44228");
  }

  @Test
  void a_wrong_count_is_only_a_warning() throws IOException {
    var text = "{\"count\":7,\"catalogVersion\":\"1\",\"vulnerabilities\":[" + ENTRY + "]}";
    assertThat(json(text).cves()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"catalogVersion\":\"1\"}",
        "{\"catalogVersion\":\"1\",\"count\":0,\"vulnerabilities\":[]}",
        "{\"catalogVersion\":\"1\",\"vulnerabilities\":null}",
        "{\"catalogVersion\":\"1\",\"vulnerabilities\":[\"CVE-2021-44228\"]}",
        "{\"vulnerabilities\":[" + ENTRY + "]}",
        "{\"catalogVersion\":\" \",\"vulnerabilities\":[" + ENTRY + "]}",
        "{\"catalogVersion\":\"1\",\"vulnerabilities\":[" + ENTRY + ",{}]}",
        "{\"catalogVersion\":\"1\",\"vulnerabilities\":[" + ENTRY + ",{\"cveID\":\"CVE-1\"}]}",
      })
  void a_catalogue_that_is_not_whole_is_refused(String text) {
    assertThatThrownBy(() -> json(text)).isInstanceOf(UnusableFeed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"catalogVersion\":\"1\",\"vulnerabilities\":[" + ENTRY,
        "{\"catalogVersion\":\"1\",\"vulnerabilities\":[" + ENTRY + "]",
        "<html>Sign in</html>",
      })
  void a_catalogue_that_was_cut_off_is_refused(String text) {
    assertThatThrownBy(() -> json(text)).isInstanceOf(UnusableFeed.class);
  }

  @Test
  void csv_fields_in_quotes_may_hold_commas_quotes_and_line_ends() throws IOException {
    var entries =
        csv("notes,cveID\r\n\"a,\"\"b\"\"\r\nCVE-1,x\",CVE-2021-44228\r\n,\"CVE-2014-0160\"");
    assertThat(entries.cves()).containsExactlyInAnyOrder("CVE-2021-44228", "CVE-2014-0160");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cve,notes\nCVE-2021-44228,\n",
        "cveID\n",
        "cveID\nlog4shell\n",
        "notes,cveID\nonly\n",
        "cveID,notes\nCVE-2021-44228,\"never closed\n",
      })
  void csv_that_is_not_whole_is_refused(String text) {
    assertThatThrownBy(() -> csv(text)).isInstanceOf(UnusableFeed.class);
  }

  private static InputStream resource(String path) {
    return requireNonNull(KevReadersTest.class.getResourceAsStream(path), path);
  }

  private static KevEntries json(String text) throws IOException {
    return KevJson.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static KevEntries csv(String text) throws IOException {
    return KevCsv.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
