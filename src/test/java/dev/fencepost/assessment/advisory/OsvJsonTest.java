package dev.fencepost.assessment.advisory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OsvJsonTest {

  private static final Path ADVISORIES = Path.of("examples/advisories");

  private final OsvJson json = new OsvJson();

  @Test
  void every_real_record_is_read() throws IOException, BrokenRecord {
    var records = new ArrayList<OsvRecord>();
    try (var files = Files.walk(ADVISORIES)) {
      for (var file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        records.add(json.read(Files.readAllBytes(file)));
      }
    }

    var withdrawn = new TreeSet<String>();
    var index =
        new ObjectMapper().readTree(Path.of("src/test/resources/fixtures/osv-index.json").toFile());
    index.forEach(
        entry -> {
          if (entry.path("withdrawn").asBoolean()) {
            withdrawn.add(entry.path("id").asText());
          }
        });
    assertThat(records).hasSize(index.size()).hasSize(368);
    assertThat(records)
        .filteredOn(record -> record.withdrawn() != null)
        .extracting(OsvRecord::id)
        .containsExactlyInAnyOrderElementsOf(withdrawn)
        .hasSize(14);
  }

  @Test
  void null_arrays_are_empty() throws BrokenRecord {
    var record =
        read(
            """
            {"id": "X-1", "modified": "2024-01-01T00:00:00Z", "withdrawn": null, "aliases": null,
             "upstream": null, "severity": null, "database_specific": null,
             "affected": [{"package": {"ecosystem": "npm", "name": "a"}, "severity": null,
                           "ranges": null, "versions": null}]}
            """);

    assertThat(record.aliases()).isEmpty();
    assertThat(record.withdrawn()).isNull();
    assertThat(record.affected()).hasSize(1);
  }

  @Test
  void only_id_and_modified_are_needed() throws BrokenRecord {
    assertThat(read("{\"id\": \"X-1\", \"modified\": \"2024-01-01T00:00:00.123456Z\"}").affected())
        .isEmpty();
  }

  @Test
  void git_ranges_and_unknown_ecosystems_are_left_out() throws BrokenRecord {
    var record =
        read(
            """
            {"id": "X-1", "modified": "2024-01-01T00:00:00Z", "affected": [
              {"ranges": [{"type": "GIT", "repo": "r", "events": [{"introduced": "0"}]}]},
              {"package": {"ecosystem": "Hackage", "name": "a"},
               "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]},
              {"package": {"ecosystem": "npm", "name": "a"},
               "ranges": [{"type": "GIT", "repo": "r", "events": [{"introduced": "0"}]},
                          {"type": "SEMVER", "events": [{"introduced": "0"}]}]}]}
            """);

    assertThat(record.affected())
        .singleElement()
        .satisfies(entry -> assertThat(entry.ranges()).hasSize(1));
  }

  @Test
  void a_cve_that_is_only_related_is_what_threat_intelligence_is_asked_for() throws Exception {
    var bundling = json.read(Files.readAllBytes(ADVISORIES.resolve("pypi/PYSEC-2023-175.json")));
    var own = json.read(Files.readAllBytes(ADVISORIES.resolve("pypi/PYSEC-2015-17.json")));

    assertThat(bundling.upstream()).containsExactly("CVE-2023-4863", "CVE-2023-5129");
    assertThat(own.upstream()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\": \"X-1\"                                       | not JSON",
        "[]                                                     | not a JSON object",
        "{} {}                                                  | not JSON",
        "{\"modified\": \"2024-01-01T00:00:00Z\"}               | id is missing",
        "{\"id\": 7, \"modified\": \"2024-01-01T00:00:00Z\"}    | id must be a string",
        "{\"id\": \"X\"}                                        | modified is missing",
        "{\"id\": \"X\", \"modified\": \"yesterday\"}           | modified must be an RFC 3339 time",
        "{\"id\": \"X\", \"modified\": \"2024-01-01T00:00:00Z\", \"aliases\": \"CVE-1\"}"
            + " | aliases must be an array",
        "{\"id\": \"X\", \"modified\": \"2024-01-01T00:00:00Z\", \"affected\": [{\"package\":"
            + " {\"ecosystem\": \"npm\"}}]} | name is missing",
        "{\"id\": \"X\", \"modified\": \"2024-01-01T00:00:00Z\", \"affected\": [{\"package\":"
            + " {\"ecosystem\": \"npm\", \"name\": \"a\"}, \"ranges\": [{\"type\": \"SEMVER\","
            + " \"events\": [{\"introduced\": \"0\", \"fixed\": \"1\"}]}]}]}"
            + " | exactly one field, but has 2",
        "{\"id\": \"X\", \"modified\": \"2024-01-01T00:00:00Z\", \"affected\": [{\"package\":"
            + " {\"ecosystem\": \"npm\", \"name\": \"a\"}, \"ranges\": [{\"type\": \"SEMVER\","
            + " \"events\": [{\"mended\": \"1\"}]}]}]} | event mended is not known"
      })
  void a_broken_record_says_where_it_is_broken(String text, String reason) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(BrokenRecord.class)
        .hasMessageContaining(reason);
  }

  private OsvRecord read(String text) throws BrokenRecord {
    return json.read(text.getBytes(UTF_8));
  }
}
