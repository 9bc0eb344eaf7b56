package dev.fencepost.assessment.advisory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real inventories against real advisories; the expectation was computed by other comparators. */
class SampleMatchesTest {

  private static final Path SBOMS = Path.of("examples/sboms");
  private static AdvisoryIndex index;

  @BeforeAll
  static void loads_the_sample() throws IOException {
    index =
        LoadAdvisories.from(
                new FolderOfRecords(Path.of("examples/advisories")), TestSettings.bundledSample())
            .index();
  }

  static Stream<String> sboms() throws IOException {
    var names = expected().fieldNames();
    return Stream.generate(() -> names.hasNext() ? names.next() : "").takeWhile(n -> !n.isEmpty());
  }

  @ParameterizedTest
  @MethodSource("sboms")
  void what_is_expected_is_found_and_nothing_else(String sbom) throws IOException {
    var matches = match(sbom);
    var expected = expectedPairs(sbom);

    var found = new TreeSet<String>();
    for (var finding : matches.findings()) {
      var ids = Stream.concat(Stream.of(finding.vulnerabilityId()), finding.aliases().stream());
      var expectedHere =
          ids.map(id -> finding.purl() + " " + id)
              .filter(expected::contains)
              .collect(Collectors.toSet());
      assertThat(expectedHere).as("finding %s", finding).isNotEmpty();
      assertThat(found).as("each flaw once").doesNotContainAnyElementsOf(expectedHere);
      found.addAll(expectedHere);
    }
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("sboms")
  void what_cannot_be_judged_is_exactly_what_has_no_ecosystem_or_no_version(String sbom)
      throws IOException {
    var withoutEcosystem = expected().path(sbom).path("purl_type_without_osv_ecosystem").asInt();

    assertThat(match(sbom).unevaluated())
        .filteredOn(u -> !u.reason().equals("no version"))
        .hasSize(withoutEcosystem)
        .allSatisfy(u -> assertThat(u.reason()).matches("ecosystem [a-z]+ is not supported"));
  }

  @Test
  void gems_in_a_container_are_unevaluated_and_not_clean() throws IOException {
    assertThat(match("fluentd-container_deb105-gem_cdx1.7.json").unevaluated())
        .hasSize(55)
        .allSatisfy(u -> assertThat(u.reason()).isEqualTo("ecosystem gem is not supported"));
  }

  @Test
  void log4shell_is_one_finding_under_the_name_people_know() {
    var matches =
        MatchComponents.match(
            "local",
            Sboms.components("pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1"),
            index);

    var log4shell =
        matches.findings().stream()
            .filter(finding -> finding.vulnerabilityId().equals("GHSA-jfh8-c2jp-5v3q"))
            .toList();
    assertThat(log4shell)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.aliases()).containsExactly("CVE-2021-44228");
              assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(finding.cvssScore()).isEqualTo(10.0);
              assertThat(finding.cvssVector())
                  .isEqualTo("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H");
              assertThat(finding.fixedVersions()).startsWith("2.15.0");
              assertThat(finding.knownExploited()).isEqualTo(KnownExploited.UNKNOWN);
              assertThat(finding.epss()).isNull();
            });
    assertThat(matches.findings().get(0)).isEqualTo(log4shell.get(0));
  }

  @Test
  void a_debian_finding_carries_the_cves_it_is_about_as_upstream() throws IOException {
    assertThat(match("fluentd-container_deb105-gem_cdx1.7.json").findings())
        .isNotEmpty()
        .allSatisfy(
            finding -> {
              assertThat(finding.vulnerabilityId()).startsWith("DSA-");
              assertThat(finding.upstream()).anyMatch(id -> id.startsWith("CVE-"));
              assertThat(finding.notes()).doesNotContain(Targets.BINARY_NAME_NOTE);
            });
  }

  private static Matches match(String sbom) throws IOException {
    return MatchComponents.match("local", Sboms.components(SBOMS.resolve(sbom)), index);
  }

  private static Set<String> expectedPairs(String sbom) throws IOException {
    return StreamSupport.stream(expected().path(sbom).path("matches").spliterator(), false)
        .map(match -> match.path("purl").asText() + " " + match.path("vuln_id").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static JsonNode expected() throws IOException {
    return new ObjectMapper()
        .readTree(Path.of("src/test/resources/fixtures/sbom/expected_matches.json").toFile());
  }
}
