package dev.fencepost.assessment.advisory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.assessment.advisory.Target.Judgeable;
import dev.fencepost.assessment.advisory.Target.NotJudgeable;
import dev.fencepost.asset.Component;
import dev.fencepost.asset.Purl;
import dev.fencepost.asset.SourcePackage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetsTest {

  @ParameterizedTest
  @CsvSource({
    "pkg:maven/org.a/b@1.0?type=jar, Maven, org.a:b, 1.0",
    "pkg:npm/%40babel/core@7.0.0, npm, @babel/core, 7.0.0",
    "pkg:npm/lodash@4.17.20, npm, lodash, 4.17.20",
    "pkg:pypi/Zope.Interface_x@1.0, PyPI, zope-interface-x, 1.0",
    "pkg:cargo/actix-http@1.0.0, crates.io, actix-http, 1.0.0",
    "pkg:golang/github.com/BurntSushi/toml@v0.3.1, Go, github.com/burntsushi/toml, 0.3.1",
    "pkg:golang/stdlib@v1.15.2, Go, stdlib, 1.15.2",
    "pkg:golang/std@go1.22rc1, Go, stdlib, 1.22rc1",
    "pkg:golang/github.com/a/b@v1.0.0#v2/c, Go, github.com/a/b/v2/c, 1.0.0",
    "pkg:deb/debian/attr@2.4.47-2?distro=bullseye, Debian:11, attr, 2.4.47-2",
    "pkg:deb/debian/attr@2.4.47-2?distro=debian-10.2&epoch=1, Debian:10, attr, 1:2.4.47-2",
    "pkg:deb/debian/attr@1%3A2.4.47-2?distro=11&epoch=1, Debian:11, attr, 1:2.4.47-2",
  })
  void a_component_is_named_as_advisories_name_it(
      String purl, String ecosystem, String name, String version) {
    var target = judgeable(component(purl));

    assertThat(target.key()).isEqualTo(new PackageKey(ecosystem, name));
    assertThat(target.version()).isEqualTo(version);
  }

  @Test
  void the_osv_api_is_asked_in_the_spelling_of_the_purl_as_written() {
    assertThat(judgeable(component("pkg:golang/github.com/BurntSushi/toml@v0.3.1")).spelling())
        .isEqualTo("github.com/BurntSushi/toml");
  }

  @Test
  void a_debian_component_is_judged_by_its_source_package() {
    var purl = Purl.parse("pkg:deb/debian/libssl1.1@1.1.1d?distro=debian-10.2");

    var target = judgeable(new Component(purl, new SourcePackage("openssl", "1.1.1d-0+deb10u2")));

    assertThat(target.key()).isEqualTo(new PackageKey("Debian:10", "openssl"));
    assertThat(target.version()).isEqualTo("1.1.1d-0+deb10u2");
    assertThat(target.notes()).isEmpty();
  }

  @Test
  void without_a_source_package_the_finding_says_that_a_name_was_guessed() {
    assertThat(judgeable(component("pkg:deb/debian/gzip@1.9-3?distro=buster")).notes())
        .isEqualTo(List.of(Targets.BINARY_NAME_NOTE));
  }

  @ParameterizedTest
  @CsvSource({
    "pkg:gem/rails@5.0.0, ecosystem gem is not supported",
    "pkg:deb/ubuntu/gzip@1.9-3?distro=jammy, ecosystem deb/ubuntu is not supported",
    "pkg:deb/debian/gzip@1.9-3, no distro qualifier says which Debian release this is from",
    "pkg:deb/debian/gzip@1.9-3?distro=sid, Debian release sid is not known",
    "pkg:deb/debian/gzip@1.9-3?distro=debian-99, Debian release debian-99 is not known",
    "pkg:npm/lodash, no version",
  })
  void a_component_that_advisories_cannot_name_says_why(String purl, String reason) {
    assertThat(Targets.of(component(purl))).isEqualTo(new NotJudgeable(reason));
  }

  @ParameterizedTest
  @CsvSource({
    "bullseye, Debian:11",
    "debian-bullseye, Debian:11",
    "Bookworm, Debian:12",
    "debian-11, Debian:11",
    "debian-10.2, Debian:10",
    "11, Debian:11",
    "12.5, Debian:12",
    "squeeze, Debian:6.0",
    "debian-6.0.10, Debian:6.0",
    "3.1, Debian:3.1",
  })
  void a_distro_names_a_release_in_many_ways(String distro, String ecosystem) {
    assertThat(DebianRelease.of(distro).map(DebianRelease::ecosystem)).contains(ecosystem);
  }

  private static Component component(String purl) {
    return new Component(Purl.parse(purl), null);
  }

  private static Judgeable judgeable(Component component) {
    return (Judgeable) Targets.of(component);
  }
}
