package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The purl project's own test files (see fixtures SOURCES.md), read side. */
class PurlSpecificationTest {

  private static final List<String> TYPES =
      List.of(
          "apk",
          "cargo",
          "deb",
          "gem",
          "generic",
          "golang",
          "maven",
          "npm",
          "nuget",
          "pypi",
          "rpm",
          "specification");

  /**
   * Why some "must fail" cases are read all the same: the specification's own "recommended" cases
   * ask to lower-case exactly these keys ({@code pkg:Maven/…?repositorY_url=}).
   */
  private static final Map<String, String> READ_ANYWAY =
      Map.of(
          "pkg:gem/jruby-launcher@1.1.2?Platform=java", "upper-case qualifier key",
          "pkg:Rpm/fedora/curl@7.50.3-1.fc25?Arch=i386&Distro=fedora-25",
              "upper-case qualifier key");

  @ParameterizedTest(name = "{0}")
  @MethodSource("parseCases")
  void a_parse_case_gives_its_fields(String input, JsonNode expected) {
    assertFields(Purl.parse(input), expected);
  }

  /** "validate" cases give a canonical text: reading either must give the same fields. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("roundTripCases")
  void a_purl_and_its_canonical_form_are_equal(String input, String canonical) {
    assertThat(Purl.parse(input)).isEqualTo(Purl.parse(canonical));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failingCases")
  void what_must_fail_is_refused(String input) {
    assertThatThrownBy(() -> Purl.parse(input)).isInstanceOf(MalformedPurl.class);
  }

  /** "build" cases start from fields; there is nothing here that writes a purl. */
  static Stream<Object[]> parseCases() throws IOException {
    return cases("parse", false)
        .map(test -> new Object[] {test.get("input").asText(), test.get("expected_output")});
  }

  static Stream<Object[]> roundTripCases() throws IOException {
    return cases("validate", false)
        .map(
            test ->
                new Object[] {test.get("input").asText(), test.get("expected_output").asText()});
  }

  static Stream<String> failingCases() throws IOException {
    return Stream.concat(cases("parse", true), cases("validate", true))
        .map(test -> test.get("input").asText())
        .filter(input -> !READ_ANYWAY.containsKey(input))
        .distinct();
  }

  private static Stream<JsonNode> cases(String type, boolean mustFail) throws IOException {
    var cases = new ArrayList<JsonNode>();
    for (var file : TYPES) {
      try (var in =
          PurlSpecificationTest.class.getResourceAsStream(
              "/fixtures/purl/" + file + "-test.json")) {
        new ObjectMapper().readTree(in).get("tests").forEach(cases::add);
      }
    }
    return cases.stream()
        .filter(test -> test.get("test_type").asText().equals(type))
        .filter(test -> test.get("expected_failure").asBoolean() == mustFail);
  }

  private static void assertFields(Purl purl, JsonNode expected) {
    var qualifiers = new HashMap<String, String>();
    expected
        .path("qualifiers")
        .properties()
        .forEach(entry -> qualifiers.put(entry.getKey(), entry.getValue().asText()));
    assertThat(purl.type()).isEqualTo(expected.get("type").asText());
    assertThat(purl.namespace()).isEqualTo(expected.get("namespace").textValue());
    assertThat(purl.name()).isEqualTo(expected.get("name").textValue());
    assertThat(purl.version()).isEqualTo(expected.get("version").textValue());
    assertThat(purl.qualifiers()).isEqualTo(qualifiers);
    assertThat(purl.subpath()).isEqualTo(expected.get("subpath").textValue());
  }
}
