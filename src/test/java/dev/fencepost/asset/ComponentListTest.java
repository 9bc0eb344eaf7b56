package dev.fencepost.asset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.asset.ReportedSoftware.Skipped;
import dev.fencepost.platform.http.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComponentListTest {

  @Test
  void a_bad_purl_is_skipped_under_its_own_text() {
    var software =
        read(
            "{'components': [{'purl': 'pkg:npm/a@1'}, {'purl': 'log4j 1.2'}, {}, {'purl': null}]}");
    assertThat(software.components())
        .containsExactly(new Component(Purl.parse("pkg:npm/a@1"), null));
    assertThat(software.skipped())
        .containsExactly(
            new Skipped(
                "log4j 1.2", "not a package URL: it contains a blank, which must be escaped"),
            new Skipped("components[2]", "it has no purl"),
            new Skipped("components[3]", "it has no purl"));
  }

  @Test
  void a_purl_without_version_is_usable() {
    assertThat(read("{'components': [{'purl': 'pkg:npm/a'}]}").components()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | components is required",
        "{'components': null} | components is required",
        "{'components': 'pkg:npm/a'} | components must be an array, but is a string",
        "{'components': [{'purl': 1}]} | components[0].purl must be a string, but is a number",
        "{'components': [{'purls': 'x'}]} | components[0].purls is not a field of this request",
        "{'component': []} | component is not a field of this request",
        "{'components': [{'purl': 'pkg:npm/a'}, {'purl': 'pkg:npm/a'}, {'purl': 'pkg:npm/a'}]}"
            + " | components must be at most 2, nested ones included",
      })
  void a_wrong_form_is_refused_by_field(String body, String detail) {
    var cut = body.startsWith("{'components': [{'purl': 'pkg:npm/a'}, ") ? 2 : 50;
    assertThatThrownBy(() -> ComponentList.read(body.replace('\'', '"').getBytes(UTF_8), cut))
        .isInstanceOf(Refused.class)
        .hasMessage(detail);
  }

  private static ReportedSoftware read(String body) {
    return ComponentList.read(body.replace('\'', '"').getBytes(UTF_8), 50);
  }
}
