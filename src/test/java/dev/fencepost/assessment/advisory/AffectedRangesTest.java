package dev.fencepost.assessment.advisory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.assessment.advisory.Judgement.CannotTell;
import dev.fencepost.assessment.advisory.Judgement.IsAffected;
import dev.fencepost.assessment.advisory.Judgement.NotAffected;
import dev.fencepost.assessment.advisory.OsvRecord.Affected;
import dev.fencepost.assessment.advisory.OsvRecord.Event;
import dev.fencepost.assessment.advisory.OsvRecord.Range;
import dev.fencepost.assessment.advisory.Target.Judgeable;
import dev.fencepost.assessment.advisory.version.VersionOrders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AffectedRangesTest {

  private static final PackageKey KEY = new PackageKey("npm", "a");

  @ParameterizedTest
  @CsvSource({
    // events | version | affected
    "introduced 0; fixed 2.0.0, 1.9.9, true",
    "introduced 0; fixed 2.0.0, 2.0.0, false",
    "introduced 0; fixed 2.0.0, 0.0.0-alpha, true",
    "introduced 1.0.0; fixed 2.0.0, 1.0.0, true",
    "introduced 1.0.0; fixed 2.0.0, 0.9.0, false",
    "introduced 1.0.0; fixed 2.0.0, 2.0.0-rc.1, true",
    "introduced 1.0.0, 99.0.0, true",
    // several intervals
    "introduced 1.0.0; fixed 1.5.0; introduced 2.0.0; fixed 2.5.0, 1.7.0, false",
    "introduced 1.0.0; fixed 1.5.0; introduced 2.0.0; fixed 2.5.0, 2.4.0, true",
    // unsorted, as in PYSEC-2021-114
    "introduced 2.11.0; fixed 2.11.7; introduced 0; fixed 2.10.6, 2.10.5, true",
    "introduced 2.11.0; fixed 2.11.7; introduced 0; fixed 2.10.6, 2.10.9, false",
    "introduced 2.11.0; fixed 2.11.7; introduced 0; fixed 2.10.6, 2.11.1, true",
    "fixed 2.0.0; introduced 1.0.0, 3.0.0, false",
    "fixed 2.0.0; introduced 1.0.0, 1.0.0, true",
    // last_affected is affected itself
    "introduced 1.0.0; last_affected 2.0.0, 2.0.0, true",
    "introduced 1.0.0; last_affected 2.0.0, 2.0.1, false",
    "introduced 2.0.0; last_affected 2.0.0, 2.0.0, true",
    "last_affected 2.0.0; introduced 2.0.0, 2.0.1, false",
    "last_affected 2.0.0; introduced 2.0.0, 2.0.0, true",
    // adjoining intervals, in either order
    "introduced 1.0.0; fixed 2.0.0; introduced 2.0.0; fixed 3.0.0, 2.5.0, true",
    "introduced 1.0.0; introduced 2.0.0; fixed 2.0.0; fixed 3.0.0, 2.5.0, true",
    // an empty interval
    "introduced 2.0.0; fixed 2.0.0, 2.5.0, false",
    // limits
    "introduced 0; limit 2.0.0, 1.9.9, true",
    "introduced 0; limit 2.0.0, 2.0.0, false",
    "introduced 0; limit 1.0.0; limit 3.0.0, 2.0.0, true",
    "introduced 0; limit 1.0.0; limit *, 2.0.0, true",
  })
  void a_version_is_affected_between_its_events(String events, String version, boolean affected) {
    var judgement = judge(version, entry(List.of(), range(events)));

    assertThat(judgement instanceof IsAffected).as("%s", judgement).isEqualTo(affected);
    assertThat(judgement instanceof NotAffected).as("%s", judgement).isEqualTo(!affected);
  }

  @Test
  void one_range_of_several_is_enough() {
    var entry =
        entry(
            List.of(),
            range("introduced 1.0.0; fixed 1.1.0"),
            range("introduced 3.0.0; fixed 3.1.0"));

    assertThat(judge("3.0.5", entry)).isEqualTo(new IsAffected(List.of("3.1.0")));
  }

  @Test
  void one_entry_of_several_about_the_package_is_enough() {
    var first = entry(List.of(), range("introduced 1.0.0; fixed 1.1.0"));
    var second = entry(List.of("2.0.0"));

    assertThat(AffectedRanges.judge(target("2.0.0"), "X-1", List.of(first, second)))
        .isInstanceOf(IsAffected.class);
  }

  @Test
  void the_fix_is_that_of_the_interval_the_version_lies_in() {
    var entry =
        entry(
            List.of(),
            range("introduced 1.0.0; fixed 1.5.0; introduced 2.0.0; fixed 2.5.0"),
            range("introduced 0; fixed 10.0.0"),
            range("introduced 0; last_affected 9.0.0"));

    assertThat(judge("2.1.0", entry)).isEqualTo(new IsAffected(List.of("2.5.0", "10.0.0")));
  }

  @Test
  void a_listed_version_is_affected_without_any_range() {
    var entry = entry(List.of("1.0.0", "1.0.1"));

    assertThat(judge("1.0.1", entry)).isEqualTo(new IsAffected(List.of()));
    assertThat(judge("1.0.2", entry)).isEqualTo(new NotAffected());
  }

  @Test
  void a_listed_version_is_affected_even_if_it_is_no_version() {
    assertThat(judge("x.y", entry(List.of("x.y"), range("introduced 0; fixed 1.0.0"))))
        .isInstanceOf(IsAffected.class);
  }

  @Test
  void a_version_that_cannot_be_read_has_no_answer_from_a_range() {
    assertThat(judge("x.y", entry(List.of("1.0.0"), range("introduced 0; fixed 1.0.0"))))
        .isEqualTo(new CannotTell("version is not SemVer"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"introduced 0; fixed next", "introduced x; fixed 2.0.0", "introduced 0; limit x"})
  void a_range_that_cannot_be_read_has_no_answer_and_names_its_advisory(String events) {
    assertThat(judge("1.0.0", entry(List.of(), range(events))))
        .isEqualTo(new CannotTell("a range of X-1 cannot be read: version is not SemVer"));
  }

  @Test
  void a_range_that_cannot_be_read_does_not_hide_a_match() {
    assertThat(judge("1.0.0", entry(List.of("1.0.0"), range("introduced 0; fixed next"))))
        .isInstanceOf(IsAffected.class);
    assertThat(
            judge(
                "1.0.0",
                entry(List.of(), range("introduced 0; fixed next"), range("introduced 0"))))
        .isInstanceOf(IsAffected.class);
  }

  @Test
  void an_entry_that_names_no_versions_has_no_answer() {
    assertThat(judge("1.0.0", entry(List.of()))).isEqualTo(new CannotTell("X-1 names no versions"));
  }

  @ParameterizedTest
  @CsvSource({
    "2.11.5, true, 2.11.6",
    "2.11.6, false,",
    "2.12.3, true, 2.12.4",
    "2.10, true, 2.11.6"
  })
  void a_real_record_with_unsorted_events_is_judged(String version, boolean affected, String fix)
      throws Exception {
    var record =
        new OsvJson()
            .read(Files.readAllBytes(Path.of("examples/advisories/pypi/PYSEC-2021-114.json")));
    var key = record.affected().get(0).key();
    var target = Judgeable.of(key, "", version, VersionOrders.of("PyPI").orElseThrow(), List.of());
    var ranges =
        record.affected(key).stream()
            .map(entry -> new Affected(key, List.of(), entry.ranges(), List.of()))
            .toList();

    assertThat(AffectedRanges.judge(target, record.id(), ranges))
        .isEqualTo(affected ? new IsAffected(List.of(fix)) : new NotAffected());
  }

  private static Judgement judge(String version, Affected entry) {
    return AffectedRanges.judge(target(version), "X-1", List.of(entry));
  }

  private static Judgeable target(String version) {
    return Judgeable.of(KEY, "a", version, VersionOrders.of("npm").orElseThrow(), List.of());
  }

  private static Affected entry(List<String> versions, Range... ranges) {
    return new Affected(KEY, List.of(), List.of(ranges), versions);
  }

  private static Range range(String events) {
    return new Range(
        Arrays.stream(events.split("; "))
            .map(event -> event.split(" "))
            .map(
                parts -> new Event(Event.Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)), parts[1]))
            .toList());
  }
}
