package dev.fencepost.assessment.advisory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.FencingToken;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalAdvisoriesTest {

  private static final Effect EFFECT =
      new Effect("t-1:VULNERABILITY_QUERY", new FencingToken(7), "00-a-b-01");

  @TempDir Path folder;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @Test
  void until_they_are_loaded_nobody_is_told_that_nothing_was_found() {
    assertThatThrownBy(() -> ids(local()))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessage("advisories are being loaded");
  }

  @Test
  void without_a_path_the_bundled_sample_is_there() {
    var sample = new LocalAdvisories(TestSettings.bundledSample(), metrics);
    sample.reloadIfChanged();

    assertThat(match(sample, "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1").findings())
        .extracting(Finding::vulnerabilityId)
        .contains("GHSA-jfh8-c2jp-5v3q");
    assertThat(gauge("records")).isEqualTo(368);
    assertThat(gauge("broken")).isZero();
  }

  @Test
  void files_and_zips_in_folders_are_read_together() throws IOException {
    put("npm/A-1.json", record("A-1"));
    zip("export/all.zip", Map.of("A-2.json", record("A-2"), "README.md", "no record"));
    put("notes.txt", "no record");

    var local = loaded();

    assertThat(ids(local)).containsExactly("A-1", "A-2");
    assertThat(gauge("broken")).isZero();
  }

  @Test
  void one_zip_is_enough() throws IOException {
    zip("all.zip", Map.of("A-1.json", record("A-1")));
    var local =
        new LocalAdvisories(TestSettings.local(folder.resolve("all.zip").toString()), metrics);
    local.reloadIfChanged();

    assertThat(ids(local)).containsExactly("A-1");
  }

  @Test
  void broken_records_are_counted_and_stop_nothing() throws IOException {
    put("A-1.json", record("A-1"));
    put("A-2.json", "{\"id\": \"A-2\"");
    put("A-3.json", record("A-3").replace("]", " ".repeat(1 << 20) + "]"));
    zip("all.zip", Map.of("A-4.json", "[]", "A-5.json", record("A-5")));

    var local = loaded();

    assertThat(ids(local)).containsExactly("A-1", "A-5");
    assertThat(gauge("broken")).isEqualTo(3);
  }

  @Test
  void of_one_id_the_newest_edition_counts() throws IOException {
    put("1.json", record("A-1").replace("2024", "2025").replace("npm", "PyPI"));
    put("2.json", record("A-1"));

    assertThat(match(loaded(), "pkg:npm/a@1.0.0", "pkg:pypi/a@1.0.0").findings())
        .extracting(Finding::purl)
        .containsExactly("pkg:pypi/a@1.0.0");
  }

  @Test
  void a_change_is_seen_and_swapped_in() throws IOException {
    put("A-1.json", record("A-1"));
    var local = loaded();
    put("A-2.json", record("A-2"));
    assertThat(ids(local)).containsExactly("A-1");

    local.reloadIfChanged();

    assertThat(ids(local)).containsExactly("A-1", "A-2");
  }

  @Test
  void while_new_advisories_are_read_the_old_ones_answer() {
    var answersMeanwhile = new ArrayList<List<String>>();
    var files = new FakeFiles();
    var local = new LocalAdvisories(TestSettings.bundledSample(), files, metrics);
    files.records = List.of(record("A-1"));
    local.reloadIfChanged();

    files.fingerprint = "2";
    files.records = List.of(record("B-1"), record("B-2"));
    files.betweenRecords = () -> answersMeanwhile.add(ids(local));
    local.reloadIfChanged();

    assertThat(answersMeanwhile).containsExactly(List.of("A-1"), List.of("A-1"));
    assertThat(ids(local)).containsExactly("B-1", "B-2");
  }

  @Test
  void what_did_not_change_is_not_read_again() {
    var files = new FakeFiles();
    files.records = List.of(record("A-1"));
    var local = new LocalAdvisories(TestSettings.bundledSample(), files, metrics);

    local.reloadIfChanged();
    local.reloadIfChanged();

    assertThat(files.reads).isEqualTo(1);
  }

  @Test
  void a_place_that_cannot_be_read_leaves_the_old_advisories() throws IOException {
    put("A-1.json", record("A-1"));
    var local = loaded();
    put("all.zip", "half of a zi");

    local.reloadIfChanged();
    assertThat(ids(local)).containsExactly("A-1");

    zip("all.zip", Map.of("A-2.json", record("A-2")));
    local.reloadIfChanged();
    assertThat(ids(local)).containsExactly("A-1", "A-2");
  }

  @Test
  void an_emptied_folder_leaves_the_old_advisories() throws IOException {
    put("A-1.json", record("A-1"));
    var local = loaded();
    Files.delete(folder.resolve("A-1.json"));

    local.reloadIfChanged();

    assertThat(ids(local)).containsExactly("A-1");
  }

  @Test
  void a_path_that_is_not_there_is_unavailable_and_not_clean() {
    var local = new LocalAdvisories(TestSettings.local(folder + "/nowhere"), metrics);
    local.reloadIfChanged();

    assertThatThrownBy(() -> ids(local))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessage("the advisories could not be read");
  }

  @Test
  void an_empty_folder_is_unavailable_and_not_clean() {
    var local = loaded();

    assertThatThrownBy(() -> ids(local))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessage("there are no advisories");
  }

  @Test
  void more_records_than_allowed_are_refused_as_a_whole() {
    var files = new FakeFiles();
    files.records = java.util.Collections.nCopies(1001, record("A-1"));
    var local = new LocalAdvisories(TestSettings.bundledSample(), files, metrics);
    local.reloadIfChanged();

    assertThatThrownBy(() -> ids(local)).isInstanceOf(AdvisoriesUnavailable.class);
  }

  private LocalAdvisories local() {
    return new LocalAdvisories(TestSettings.local(folder.toString()), metrics);
  }

  private LocalAdvisories loaded() {
    var local = local();
    local.reloadIfChanged();
    return local;
  }

  private static List<String> ids(LocalAdvisories local) {
    return match(local, "pkg:npm/a@1.0.0").findings().stream()
        .map(Finding::vulnerabilityId)
        .toList();
  }

  private static Matches match(LocalAdvisories local, String... purls) {
    return local.match(Sboms.components(purls), EFFECT).await().atMost(Duration.ofSeconds(10));
  }

  private double gauge(String name) {
    return metrics.get("fencepost.advisories." + name).gauge().value();
  }

  private static String record(String id) {
    return """
        {"id": "%s", "modified": "2024-01-01T00:00:00Z", "affected": [
          {"package": {"ecosystem": "npm", "name": "a"}, "versions": ["1.0.0"]}]}
        """
        .formatted(id);
  }

  private void put(String name, String text) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void zip(String name, Map<String, String> entries) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (var entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(UTF_8));
      }
    }
  }

  private static final class FakeFiles implements RecordFiles {

    private String fingerprint = "1";
    private List<String> records = List.of();
    private Runnable betweenRecords = () -> {};
    private int reads;

    @Override
    public String fingerprint() {
      return fingerprint;
    }

    @Override
    public void readEach(Reader reader) throws IOException {
      reads++;
      for (var record : records) {
        reader.read("a.json", () -> new ByteArrayInputStream(record.getBytes(UTF_8)));
        betweenRecords.run();
      }
    }
  }
}
