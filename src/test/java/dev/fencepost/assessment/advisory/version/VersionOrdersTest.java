package dev.fencepost.assessment.advisory.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionOrdersTest {

  private static final int SHUFFLE_SEED = 20261130;

  @ParameterizedTest
  @ValueSource(
      strings = {"maven", "NPM", "pypi", "debian", "go", "Alpine:v3.19", "NuGet", "", ":12"})
  void an_ecosystem_that_is_not_known_by_this_exact_name_has_no_order(String ecosystem) {
    assertThat(VersionOrders.of(ecosystem)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Debian", "Debian:12", "Debian:debian-12", "Maven:https://repo.example/"})
  void a_release_after_the_colon_changes_nothing(String ecosystem) {
    assertThat(VersionOrders.of(ecosystem))
        .isEqualTo(VersionOrders.of(ecosystem.substring(0, ecosystem.indexOf('n') + 1)));
  }

  @ParameterizedTest
  @CsvSource({
    "npm, x.y, version is not SemVer",
    "npm, latest, version is not SemVer",
    "npm, ^1.2.3, version is not SemVer",
    "npm, >=1.2.3, version is not SemVer",
    "npm, 1.2, version is not SemVer",
    "npm, 1.02.3, version is not SemVer",
    "npm, 1.2.3-01, version is not SemVer",
    "npm, 1.2.3-, version is not SemVer",
    "npm, 1.2.3-a..b, version is not SemVer",
    "npm, '', version is not SemVer",
    "npm, ' 1.2.3', version is not SemVer",
    "npm, 1.2.3\u0661, version is not SemVer",
    "crates.io, *, version is not SemVer",
    "crates.io, 1.2, version is not SemVer",
    "PyPI, 0.7.4.svn.r2010, version is not PEP 440",
    "PyPI, >=1.0, version is not PEP 440",
    "PyPI, trunk, version is not PEP 440",
    "PyPI, 1.0+, version is not PEP 440",
    "PyPI, '', version is not PEP 440",
    "Debian, latest, version is not a Debian version",
    "Debian, a:1.0, version is not a Debian version",
    "Debian, 1.0:2, version is not a Debian version",
    "Debian, :1.0, version is not a Debian version",
    "Debian, 1:, version is not a Debian version",
    "Debian, 1.0-, version is not a Debian version",
    "Debian, 1.0_2, version is not a Debian version",
    "Debian, '', version is not a Debian version",
    "Go, (devel), version is not a Go version",
    "Go, latest, version is not a Go version",
    "Go, 1.22rc, version is not a Go version",
    "Go, v1.2.3.4, version is not a Go version",
    "Go, '', version is not a Go version",
    "Maven, '', version is not a Maven version",
    "Maven, ' ', version is not a Maven version",
    "Maven, ${project.version}, version is not a Maven version",
    "Maven, '[1.0,2.0)', version is not a Maven version",
    "Maven, LATEST, version is not a Maven version",
    "Maven, RELEASE, version is not a Maven version",
  })
  void what_is_no_version_is_refused_in_plain_words(String ecosystem, String text, String words) {
    var order = VersionOrders.of(ecosystem).orElseThrow();
    assertThatThrownBy(() -> order.parse(text))
        .isInstanceOf(UnparsableVersion.class)
        .hasMessage(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Maven", "npm", "PyPI", "Debian", "Go", "crates.io"})
  void a_version_of_absurd_length_is_refused_before_it_is_read(String ecosystem) {
    var order = VersionOrders.of(ecosystem).orElseThrow();
    var text = "1.0.0-1" + "-1".repeat(Shape.MAX_LENGTH);
    assertThatThrownBy(() -> order.parse(text))
        .isInstanceOf(UnparsableVersion.class)
        .hasMessage("version is longer than 1024 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Maven", "npm", "PyPI", "Debian", "Go", "crates.io"})
  void the_longest_version_is_read_and_compared_on_an_ordinary_stack(String ecosystem) {
    var order = VersionOrders.of(ecosystem).orElseThrow();
    var parts = ecosystem.equals("PyPI") ? "+1" : "-1";
    var separator = ecosystem.equals("Maven") ? "-" : ".";
    var start = "1.0.0" + parts;
    var text = start + (separator + "1").repeat((Shape.MAX_LENGTH - start.length()) / 2);
    assertThat(order.parse(text)).isEqualByComparingTo(order.parse(text));
  }

  @Test
  void maven_orders_qualifiers_as_maven_does() {
    assertSorted(
        "Maven",
        "1.0-alpha",
        "1.0-beta",
        "1.0-milestone-1",
        "1.0-rc1",
        "1.0-SNAPSHOT",
        "1.0",
        "1.0-sp",
        "1.0-android",
        "1.0-jre",
        "1.0.1");
    assertSame("Maven", "1.0", "1.0.Final", "1.0.RELEASE", "1.0.GA", "1");
  }

  @Test
  void semver_orders_identifiers_of_any_length_and_ignores_build_metadata() {
    assertSorted(
        "npm",
        "1.0.0-0",
        "1.0.0-99999999999999999998",
        "1.0.0-99999999999999999999",
        "1.0.0--",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-rc10",
        "1.0.0-rc9",
        "1.0.0",
        "1.0.18446744073709551616",
        "1.1.0");
    assertSame("npm", "1.0.0", "v1.0.0", "=1.0.0", "1.0.0+build.007");
    assertSame("crates.io", "1.0.0", "1.0.0+build");
  }

  @Test
  void go_reads_modules_pseudo_versions_and_the_toolchain() {
    assertSorted(
        "Go",
        "v0.0.0-20190101000000-abcdefabcdef",
        "v0.0.0-20210101000000-abcdefabcdef",
        "v0.0.1",
        "1.21.13",
        "1.22.0-0",
        "go1.22beta2",
        "go1.22rc2",
        "go1.22rc10",
        "go1.22",
        "1.22.1");
    assertSame("Go", "go1.22rc1", "1.22.0-rc.1");
    assertSame("Go", "go1.22", "1.22.0", "v1.22.0+incompatible");
    assertSame("Go", "v2.0.0+incompatible", "2.0.0", "2");
  }

  @Test
  void pep_440_orders_every_part_and_normalises_every_spelling() {
    assertSorted(
        "PyPI",
        "0.1.dev20160119155955",
        "0.1.dev20160119155956",
        "1.0.dev1",
        "1.0a1.dev1",
        "1.0a1",
        "1.0a1.post1.dev1",
        "1.0a1.post1",
        "1.0a2",
        "1.0b1",
        "1.0rc1",
        "1.0",
        "1.0+abc",
        "1.0+abc.5",
        "1.0+abc.7",
        "1.0+5",
        "1.0.post1.dev1",
        "1.0.post1",
        "1.0.1",
        "1.1",
        "1!0.1");
    assertSame("PyPI", "1.0rc1", "v1.0.0-C.1", "1.0-pre1", "1.0_preview-01", " 1RC1 ");
    assertSame("PyPI", "1.0.post2", "1.0-2", "1.0r2", "1.0-rev.2", "1.0POST2");
    assertSame("PyPI", "1.0.post", "1.0.post0");
    assertSame("PyPI", "1.0+ubuntu-1", "1.0+ubuntu.1", "1.0+UBUNTU_01");
    assertSame("PyPI", "0!1", "1.0.0");
  }

  @Test
  void debian_orders_tilde_first_and_letters_before_other_signs() {
    assertSorted(
        "Debian:12",
        "1.0~~",
        "1.0~~a",
        "1.0~",
        "1.0~rc1-1",
        "1.0",
        "1.0-1",
        "1.0-1+b1",
        "1.0-1.1",
        "1.0a",
        "1.0+dfsg-1",
        "1.0.1-1",
        "9.9-1",
        "1:0.1-1",
        "2:1:3-1-2",
        "99999999999:1");
    assertSame("Debian", "1.0", "0:1.0", "1.0-0", "1.00-00");
  }

  /** Sorting any shuffle gives the one order back, and no two neighbours are the same. */
  private static void assertSorted(String ecosystem, String... versions) {
    var order = VersionOrders.of(ecosystem).orElseThrow();
    var shuffled = new ArrayList<>(List.of(versions));
    Collections.shuffle(shuffled, new Random(SHUFFLE_SEED));
    shuffled.sort((a, b) -> order.parse(a).compareTo(order.parse(b)));
    assertThat(shuffled).containsExactly(versions);
    for (var i = 1; i < versions.length; i++) {
      assertThat(order.parse(versions[i - 1])).isLessThan(order.parse(versions[i]));
    }
  }

  private static void assertSame(String ecosystem, String first, String... others) {
    var order = VersionOrders.of(ecosystem).orElseThrow();
    for (var other : others) {
      assertThat(order.parse(other)).isEqualByComparingTo(order.parse(first));
    }
  }
}
