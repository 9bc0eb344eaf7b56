package dev.fencepost.assessment.advisory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.assessment.advisory.OsvRecord.Affected;
import dev.fencepost.assessment.advisory.OsvRecord.Event;
import dev.fencepost.assessment.advisory.OsvRecord.Range;
import dev.fencepost.assessment.advisory.OsvRecord.Rating;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FindingsTest {

  private static final String CRITICAL_V3 = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"; // 9.8
  private static final String LOW_V2 = "AV:N/AC:H/Au:N/C:P/I:N/A:N"; // 2.6
  private static final PackageKey KEY = new PackageKey("PyPI", "a");

  @Test
  void records_that_share_an_alias_are_one_finding() {
    var findings =
        match(
            "1.0",
            record("PYSEC-2024-1").aliases("CVE-2024-1").fixedIn("1.2"),
            record("GHSA-aaaa-bbbb-cccc").aliases("CVE-2024-1").fixedIn("1.1"));

    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.vulnerabilityId()).isEqualTo("GHSA-aaaa-bbbb-cccc");
              assertThat(finding.aliases()).containsExactly("CVE-2024-1", "PYSEC-2024-1");
              assertThat(finding.fixedVersions()).containsExactly("1.1", "1.2");
            });
  }

  @Test
  void being_an_alias_is_transitive() {
    var findings =
        match(
            "1.0",
            record("PYSEC-2024-1").aliases("CVE-2024-1"),
            record("OTHER-1").aliases("GHSA-aaaa-bbbb-cccc"),
            record("GHSA-aaaa-bbbb-cccc").aliases("CVE-2024-1"));

    assertThat(findings)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.aliases())
                    .containsExactly("CVE-2024-1", "OTHER-1", "PYSEC-2024-1"));
  }

  @Test
  void one_record_of_a_group_is_enough_even_if_another_says_it_is_fixed() {
    var findings =
        match(
            "1.5",
            record("GHSA-aaaa-bbbb-cccc").aliases("PYSEC-2024-1").fixedIn("1.2"),
            record("PYSEC-2024-1").aliases("GHSA-aaaa-bbbb-cccc").fixedIn("2.0"));

    assertThat(findings)
        .singleElement()
        .satisfies(finding -> assertThat(finding.fixedVersions()).containsExactly("2.0"));
  }

  @Test
  void a_shared_upstream_does_not_make_one_flaw_of_two() {
    assertThat(
            match(
                "1.0",
                record("DSA-1-1").upstream("CVE-2024-1", "CVE-2024-2"),
                record("DSA-2-1").upstream("CVE-2024-2")))
        .extracting(Finding::vulnerabilityId)
        .containsExactly("DSA-1-1", "DSA-2-1");
  }

  @Test
  void the_best_known_id_is_shown() {
    assertThat(match("1.0", record("PYSEC-2024-1").aliases("CVE-2024-1")).get(0).vulnerabilityId())
        .isEqualTo("CVE-2024-1");
    assertThat(match("1.0", record("BIT-a-1").aliases("PYSEC-2024-1")).get(0).vulnerabilityId())
        .isEqualTo("PYSEC-2024-1");
    assertThat(match("1.0", record("MAL-2").aliases("BIT-1")).get(0).vulnerabilityId())
        .isEqualTo("BIT-1");
  }

  @Test
  void the_worst_score_of_the_group_is_shown() {
    var finding =
        match(
                "1.0",
                record("PYSEC-2024-1").aliases("CVE-2024-1").vector(LOW_V2),
                record("GHSA-aaaa-bbbb-cccc").aliases("CVE-2024-1").entryVector(CRITICAL_V3))
            .get(0);

    assertThat(finding.cvssScore()).isEqualTo(9.8);
    assertThat(finding.cvssVector()).isEqualTo(CRITICAL_V3);
    assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
  }

  @Test
  void a_word_counts_where_there_is_no_vector() {
    var finding = match("1.0", record("GHSA-aaaa-bbbb-cccc").word("MODERATE")).get(0);

    assertThat(finding.severity()).isEqualTo(Severity.MEDIUM);
    assertThat(finding.cvssScore()).isNull();
  }

  @Test
  void a_malformed_vector_is_noted_and_the_word_counts() {
    var finding =
        match("1.0", record("GHSA-aaaa-bbbb-cccc").vector("CVSS:3.1/AV:N").word("HIGH")).get(0);

    assertThat(finding.severity()).isEqualTo(Severity.HIGH);
    assertThat(finding.notes()).containsExactly("CVSS vector of GHSA-aaaa-bbbb-cccc is malformed");
  }

  @Test
  void no_vector_and_no_word_is_unknown_and_not_low() {
    assertThat(match("1.0", record("PYSEC-2024-1")).get(0).severity()).isEqualTo(Severity.UNKNOWN);
  }

  @Test
  void a_withdrawn_record_is_no_finding() {
    assertThat(match("1.0", record("PYSEC-2024-1").withdrawn())).isEmpty();
  }

  @Test
  void the_same_purl_twice_is_one_finding() {
    var index = index(record("PYSEC-2024-1"));

    assertThat(
            MatchComponents.match(
                    "local", Sboms.components("pkg:pypi/a@1.0", "pkg:pypi/A@1.0"), index)
                .findings())
        .hasSize(1);
  }

  @Test
  void the_worst_comes_first() {
    assertThat(
            match(
                "1.0",
                record("PYSEC-2024-1"),
                record("PYSEC-2024-2").vector(LOW_V2),
                record("PYSEC-2024-4").vector(CRITICAL_V3),
                record("PYSEC-2024-3").vector(CRITICAL_V3),
                record("PYSEC-2024-5").word("CRITICAL")))
        .extracting(Finding::vulnerabilityId)
        .containsExactly(
            "PYSEC-2024-3", "PYSEC-2024-4", "PYSEC-2024-5", "PYSEC-2024-2", "PYSEC-2024-1");
  }

  @Test
  void an_unreadable_version_is_unevaluated_whatever_is_known_of_the_package() {
    var index = index(record("PYSEC-2024-1").fixedIn("2.0"));

    var matches =
        MatchComponents.match(
            "local", Sboms.components("pkg:pypi/a@x.y", "pkg:pypi/unheard-of@x.y"), index);

    assertThat(matches.findings()).isEmpty();
    assertThat(matches.unevaluated())
        .extracting(Unevaluated::purl)
        .containsExactly("pkg:pypi/a@x.y", "pkg:pypi/unheard-of@x.y");
    assertThat(matches.unevaluated())
        .extracting(Unevaluated::reason)
        .containsOnly("version is not PEP 440");
  }

  @Test
  void an_ecosystem_without_advisories_is_unevaluated_and_not_clean() {
    assertThat(
            MatchComponents.match(
                    "local", Sboms.components("pkg:npm/a@1.0.0"), index(record("PYSEC-2024-1")))
                .unevaluated())
        .containsExactly(new Unevaluated("pkg:npm/a@1.0.0", "there are no advisories for npm"));
  }

  private static List<Finding> match(String version, Draft... drafts) {
    return MatchComponents.match("local", Sboms.components("pkg:pypi/a@" + version), index(drafts))
        .findings();
  }

  private static AdvisoryIndex index(Draft... drafts) {
    var builder = new AdvisoryIndex.Builder();
    Arrays.stream(drafts).map(Draft::record).forEach(builder::add);
    return builder.build();
  }

  private static Draft record(String id) {
    return new Draft(id);
  }

  /** A record in the making; by itself it affects every version. */
  private static final class Draft {

    private final String id;
    private List<String> aliases = List.of();
    private List<String> upstream = List.of();
    private List<Rating> ratings = List.of();
    private List<Rating> entryRatings = List.of();
    private List<Event> events = List.of(new Event(Event.Kind.INTRODUCED, "0"));
    private @Nullable String word;
    private @Nullable Instant withdrawn;

    Draft(String id) {
      this.id = id;
    }

    Draft aliases(String... ids) {
      aliases = List.of(ids);
      return this;
    }

    Draft upstream(String... ids) {
      upstream = List.of(ids);
      return this;
    }

    Draft vector(String vector) {
      ratings = List.of(new Rating("CVSS_V3", vector));
      return this;
    }

    Draft entryVector(String vector) {
      entryRatings = List.of(new Rating("CVSS_V3", vector));
      return this;
    }

    Draft word(String word) {
      this.word = word;
      return this;
    }

    Draft fixedIn(String version) {
      events = List.of(new Event(Event.Kind.INTRODUCED, "0"), new Event(Event.Kind.FIXED, version));
      return this;
    }

    Draft withdrawn() {
      withdrawn = Instant.EPOCH;
      return this;
    }

    OsvRecord record() {
      var entry = new Affected(KEY, entryRatings, List.of(new Range(events)), List.of());
      return new OsvRecord(
          id, Instant.EPOCH, withdrawn, aliases, upstream, ratings, word, List.of(entry));
    }
  }
}
