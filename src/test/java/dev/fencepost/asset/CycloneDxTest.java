package dev.fencepost.asset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.asset.ReportedSoftware.Skipped;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CycloneDxTest {

  private static final int LIMIT = 50_000;
  private static final Path SBOMS = Path.of("examples/sboms");
  private static final Path EDGE = Path.of("src/test/resources/fixtures/sbom/edge");

  /**
   * {@code listed} and {@code withoutPurl} are what expected_matches.json says of the file. What
   * comes on top is the root component; what goes are purls that are listed twice.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "cern-lhc-vdm-editor_npm43_cdx1.2.json,         43,   0, 1, 0,   0",
    "dropwizard-1.3.15_maven167_cdx1.2.json,        167,  0, 1, 0,   0",
    "proton-bridge-v1.8.0_golang201_cdx1.2.json,    201,  0, 1, 0,   0",
    "juice-shop_npm1115_cdx1.4.json,                1115, 0, 1, 0,   137",
    "dtrack-bom-issue4455_cdx1.6.json,              23,   1, 0, 1,   1",
    "dtrack-valid-bom_cdx1.6.json,                  2,    1, 0, 1,   0",
    "trivy-nested-packages_golang_cdx1.6.json,      6,    1, 0, 1,   0",
    "fluentd-container_deb105-gem_cdx1.7.json,      161,  1, 0, 1,   0",
  })
  void every_component_of_a_real_document_is_counted_or_skipped(
      String file, int listed, int withoutPurl, int rootKept, int rootSkipped, int repeated)
      throws IOException {
    var expected = expected(file);
    assertThat(listed).isEqualTo(expected.get("components").asInt());
    assertThat(withoutPurl).isEqualTo(expected.get("without_purl").asInt());

    var software = CycloneDx.read(Files.readAllBytes(SBOMS.resolve(file)), LIMIT);

    assertThat(software.skipped()).hasSize(withoutPurl + rootSkipped);
    assertThat(software.components()).hasSize(listed - withoutPurl - repeated + rootKept);
    assertThat(software.components()).extracting(Component::purl).doesNotHaveDuplicates();
  }

  @Test
  void a_debian_package_knows_the_source_it_was_built_from() throws IOException {
    var software =
        CycloneDx.read(
            Files.readAllBytes(SBOMS.resolve("fluentd-container_deb105-gem_cdx1.7.json")), LIMIT);
    var attr =
        software.components().stream()
            .filter(component -> component.purl().name().equals("libattr1"))
            .findFirst()
            .orElseThrow();
    assertThat(attr.source()).isEqualTo(new SourcePackage("attr", "1:2.4.48-4"));
    assertThat(attr.purl().qualifiers()).containsEntry("epoch", "1");
  }

  @Test
  void a_native_debian_package_has_no_release() {
    var software =
        CycloneDx.read(
            bytes(
                bom(
                    """
                    {"name": "dpkg", "purl": "pkg:deb/debian/dpkg@1.19.7", "properties": [
                      {"name": "aquasecurity:trivy:SrcName", "value": "dpkg"},
                      {"name": "aquasecurity:trivy:SrcVersion", "value": "1.19.7"},
                      {"name": "other", "value": null}]}
                    """)),
            LIMIT);
    assertThat(software.components().get(0).source())
        .isEqualTo(new SourcePackage("dpkg", "1.19.7"));
  }

  @Test
  void the_root_component_and_nested_ones_count() {
    var software =
        CycloneDx.read(
            bytes(
                """
                {"bomFormat": "CycloneDX", "specVersion": "1.5",
                 "metadata": {"tools": {"components": [{"name": "t", "purl": "pkg:npm/tool@1"}]},
                   "component": {"purl": "pkg:npm/root@1", "components": [
                     {"purl": "pkg:npm/in-root@1"}]}},
                 "components": [{"purl": "pkg:npm/a@1", "components": [
                   {"purl": "pkg:npm/b@1", "components": [{"purl": "pkg:npm/c@1"}]}]}]}
                """),
            LIMIT);
    assertThat(software.components())
        .extracting(component -> component.purl().name())
        .containsExactlyInAnyOrder("root", "in-root", "a", "b", "c");
  }

  @Test
  void a_component_without_a_usable_purl_is_skipped_with_the_reason() {
    var software =
        CycloneDx.read(
            bytes(
                bom(
                    """
                    {"bom-ref": "ref-1", "name": "one"}, {"name": "two", "purl": null}, {},
                    {"name": "four", "purl": "npm/four"}, {"name": "five", "purl": ""}
                    """)),
            LIMIT);
    assertThat(software.components()).isEmpty();
    assertThat(software.skipped())
        .containsExactly(
            new Skipped("ref-1", "it has no purl"),
            new Skipped("two", "it has no purl"),
            new Skipped("components[2]", "it has no purl"),
            new Skipped("four", "not a package URL: it does not start with 'pkg:'"),
            new Skipped("five", "it has no purl"));
  }

  @Test
  void a_root_component_without_purl_is_skipped_too() {
    var software =
        CycloneDx.read(
            bytes(
                """
                {"bomFormat": "CycloneDX", "specVersion": "1.4", "metadata": {"component": {}}}
                """),
            LIMIT);
    assertThat(software.skipped())
        .containsExactly(new Skipped("metadata.component", "it has no purl"));
  }

  @Test
  void a_component_listed_twice_counts_once_and_keeps_its_source() {
    var software =
        CycloneDx.read(
            bytes(
                bom(
                    """
                    {"purl": "pkg:deb/debian/a@1%3A1"}, {"purl": "pkg:deb/debian/a@1:1",
                      "properties": [{"name": "aquasecurity:trivy:SrcName", "value": "s"},
                                     {"name": "aquasecurity:trivy:SrcVersion", "value": "2"}]}
                    """)),
            LIMIT);
    assertThat(software.components())
        .containsExactly(
            new Component(Purl.parse("pkg:deb/debian/a@1:1"), new SourcePackage("s", "2")));
    assertThat(software.components().get(0).purl()).hasToString("pkg:deb/debian/a@1%3A1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2", "1.3", "1.4", "1.5", "1.6", "1.7"})
  void all_json_versions_are_read_and_components_may_be_absent(String version) {
    var empty = "{\"specVersion\": \"" + version + "\", \"bomFormat\": \"CycloneDX\"}";
    assertThat(CycloneDx.read(bytes(empty), LIMIT).components()).isEmpty();
    var nulls = empty.replace("}", ", \"components\": null, \"metadata\": null}");
    assertThat(CycloneDx.read(bytes(nulls), LIMIT).components()).isEmpty();
  }

  @Test
  void a_byte_order_mark_is_accepted() {
    var body = bytes("\uFEFF" + bom("{\"purl\": \"pkg:npm/a@1\"}"));
    assertThat(body[0]).isEqualTo((byte) 0xEF);
    assertThat(CycloneDx.read(body, LIMIT).components()).hasSize(1);
  }

  @Test
  void cyclic_dependencies_do_not_matter() throws IOException {
    var software =
        CycloneDx.read(Files.readAllBytes(EDGE.resolve("trivy-infinite-loop-bom.json")), LIMIT);
    assertThat(software.components()).hasSize(3);
    assertThat(software.skipped()).hasSize(1);
  }

  @Test
  void edge_documents_are_read_for_what_they_are() throws IOException {
    assertThat(CycloneDx.read(Files.readAllBytes(EDGE.resolve("bom-empty.json")), LIMIT))
        .isEqualTo(new ReportedSoftware(Collections.emptyList(), Collections.emptyList()));
    for (var file : new String[] {"bom-no-purl.json", "bom-component-property.json"}) {
      assertThat(CycloneDx.read(Files.readAllBytes(EDGE.resolve(file)), LIMIT).skipped())
          .containsExactly(new Skipped("acme-lib", "it has no purl"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | bomFormat | must be \"CycloneDX\", but is missing",
        "{'bomFormat': 'SPDX'} | bomFormat | must be \"CycloneDX\", but is \"SPDX\"",
        "{'bomFormat': 5} | bomFormat | must be a string, but is a number",
        "{'bomFormat': 'CycloneDX'} | specVersion | must be one of [1.2, 1.3, 1.4, 1.5, 1.6, 1.7],"
            + " but is missing",
        "{'bomFormat': 'CycloneDX', 'specVersion': '9.9'} | specVersion"
            + " | must be one of [1.2, 1.3, 1.4, 1.5, 1.6, 1.7], but is \"9.9\"",
        "{'components': {}} | components | must be an array, but is an object",
        "{'components': ['pkg:npm/a']} | components[0] | must be an object, but is a string",
        "{'components': [{}, null]} | components[1] | must be an object, but is null",
        "{'components': [{'purl': ['x']}]} | components[0].purl | must be a string, but is an array",
        "{'components': [{'components': [{'name': true}]}]} | components[0].components[0].name"
            + " | must be a string, but is a boolean",
        "{'metadata': {'component': 'x'}} | metadata.component"
            + " | must be an object, but is a string",
        "[] | the body | must be an object, but is an array",
        "null | the body | must be an object, but is null",
      })
  void what_is_not_cyclonedx_is_refused_by_field(String body, String field, String message) {
    assertThatThrownBy(() -> CycloneDx.read(bytes(body.replace('\'', '"')), LIMIT))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.type()).isEqualTo(ProblemType.VALIDATION_FAILED);
              assertThat(refused.errors()).containsExactly(new Refused.FieldError(field, message));
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'bomFormat': 'CycloneDX', | the JSON ends too early (line 1, column",
        "<bom xmlns='http://cyclonedx.org/schema/bom/1.4'/> | the body is not valid JSON (line 1,",
        "{'bomFormat': 'CycloneDX', 'specVersion': '1.4'} {} | something follows the JSON document",
        "{'bomFormat': 'CycloneDX', 'bomFormat': 'CycloneDX'} | the body is not valid JSON",
      })
  void what_is_not_json_is_refused_with_the_place(String body, String detail) {
    assertRefused(bytes(body.replace('\'', '"')), detail);
  }

  @Test
  void an_empty_body_is_refused() {
    assertThatThrownBy(() -> CycloneDx.read(new byte[0], LIMIT))
        .isInstanceOf(Refused.class)
        .hasMessage("the body must be an object, but is empty");
  }

  @Test
  void truncated_json_is_refused_wherever_it_breaks_off() throws IOException {
    assertRefused(Files.readAllBytes(EDGE.resolve("bom-invalid.json")), "the JSON ends too early");
    var whole = bom("{\"purl\": \"pkg:npm/a@1\"}").strip();
    for (var length = 1; length < whole.length(); length++) {
      var cut = bytes(whole.substring(0, length));
      assertThatThrownBy(() -> CycloneDx.read(cut, LIMIT)).isInstanceOf(Refused.class);
    }
  }

  @Test
  void bytes_that_are_not_utf_8_are_refused() {
    var body = bytes(bom("{\"name\": \"x\"}"));
    body[new String(body, UTF_8).indexOf('x')] = (byte) 0xC3;
    assertRefused(body, "the body is not valid JSON");
  }

  @ParameterizedTest
  @ValueSource(ints = {600, 1500, 1_000_000})
  void too_deep_nesting_is_refused_before_the_stack_is_full(int levels) {
    var body = bom("{\"components\": [".repeat(levels) + "]}".repeat(levels));
    assertRefused(bytes(body), "the JSON is nested deeper than 1000 levels");
  }

  @Test
  void deep_nesting_within_the_bound_is_counted() {
    var levels = 490;
    var body =
        bom("{\"purl\": \"pkg:npm/a@1\", \"components\": [".repeat(levels) + "]}".repeat(levels));
    assertThat(CycloneDx.read(bytes(body), LIMIT).components()).hasSize(1);
  }

  @Test
  void ten_thousand_components_are_read_and_one_too_many_is_refused() {
    var items =
        IntStream.range(0, 10_000)
            .mapToObj("{\"purl\": \"pkg:npm/package-%d@1.0.0\"}"::formatted)
            .toList();
    var body = bytes(bom(String.join(",", items)));
    assertThat(CycloneDx.read(body, 10_000).components()).hasSize(10_000);
    assertThatThrownBy(() -> CycloneDx.read(body, 9_999))
        .isInstanceOf(Refused.class)
        .hasMessage("components must be at most 9999, nested ones included");
  }

  private static void assertRefused(byte[] body, String detail) {
    assertThatThrownBy(() -> CycloneDx.read(body, LIMIT))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.type()).isEqualTo(ProblemType.BAD_REQUEST);
              assertThat(refused.detail()).startsWith(detail);
            });
  }

  private static JsonNode expected(String file) throws IOException {
    try (var in = CycloneDxTest.class.getResourceAsStream("/fixtures/sbom/expected_matches.json")) {
      return new ObjectMapper().readTree(in).get(file);
    }
  }

  private static String bom(String components) {
    return "{\"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.6\", \"components\": ["
        + components
        + "]}";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
