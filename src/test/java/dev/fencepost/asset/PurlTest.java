package dev.fencepost.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PurlTest {

  @Test
  void a_step_that_leads_nowhere_is_none_however_it_is_written() {
    for (var subpath : java.util.List.of("..", ".", "%2e%2E", "/%2E/")) {
      assertThat(Purl.parse("pkg:npm/foo@1#" + subpath).subpath()).as(subpath).isNull();
    }
    assertThat(Purl.parse("pkg:npm/foo@1#/a%2Fb/").subpath()).isEqualTo("a/b");
  }

  @Test
  void a_purl_is_read_by_its_fields() {
    var purl = Purl.parse("pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64&epoch=1#usr/share");
    assertThat(purl.type()).isEqualTo("deb");
    assertThat(purl.namespace()).isEqualTo("debian");
    assertThat(purl.name()).isEqualTo("attr");
    assertThat(purl.version()).isEqualTo("1:2.4.47-2+b1");
    assertThat(purl.qualifiers()).isEqualTo(Map.of("arch", "amd64", "epoch", "1"));
    assertThat(purl.subpath()).isEqualTo("usr/share");
  }

  @ParameterizedTest
  @CsvSource({
    "pkg:npm/@babel/core, @babel, core,",
    "pkg:npm/%40babel/core, @babel, core,",
    "pkg:npm/@babel/core@7.0.0, @babel, core, 7.0.0",
    "pkg:npm/%40babel/core@7.0.0, @babel, core, 7.0.0",
    "pkg:npm/@babel/core@, @babel, core,",
  })
  void an_npm_scope_need_not_be_escaped(
      String text, String namespace, String name, String version) {
    var purl = Purl.parse(text);
    assertThat(purl.namespace()).isEqualTo(namespace);
    assertThat(purl.name()).isEqualTo(name);
    assertThat(purl.version()).isEqualTo(version);
  }

  @Test
  void non_ascii_escapes_are_utf_8() {
    assertThat(Purl.parse("pkg:generic/%E4%B8%AD%E6%96%87@1?note=%C3%A9t%C3%A9#%F0%9F%90%B3"))
        .isEqualTo(Purl.parse("pkg:generic/中文@1?note=été#🐳"))
        .extracting(Purl::name)
        .isEqualTo("中文");
  }

  @Test
  void an_empty_version_is_no_version() {
    assertThat(Purl.parse("pkg:npm/foo@").version()).isNull();
    assertThat(Purl.parse("pkg:npm/foo@")).isEqualTo(Purl.parse("pkg:npm/foo"));
  }

  @Test
  void scheme_type_and_qualifier_names_have_no_case() {
    assertThat(Purl.parse("PKG:Maven/a.b/C@1?Type=JAR"))
        .isEqualTo(Purl.parse("pkg:maven/a.b/C@1?type=JAR"));
  }

  @Test
  void a_colon_may_be_escaped_or_not() {
    assertThat(Purl.parse("pkg:deb/debian/attr@1%3A2.4.47-2"))
        .isEqualTo(Purl.parse("pkg:deb/debian/attr@1:2.4.47-2"));
  }

  @Test
  void a_go_module_keeps_the_case_it_was_sent_in() {
    var purl = Purl.parse("pkg:golang/github.com/BurntSushi/TOML@v0.3.1");
    assertThat(purl.namespace()).isEqualTo("github.com/BurntSushi");
    assertThat(purl.name()).isEqualTo("TOML");
  }

  @Test
  void names_are_spelt_as_their_type_wants() {
    assertThat(Purl.parse("pkg:pypi/Django_Package").name()).isEqualTo("django-package");
    assertThat(Purl.parse("pkg:npm/JSONStream").name()).isEqualTo("JSONStream");
    assertThat(Purl.parse("pkg:deb/Debian/LibSSL").namespace()).isEqualTo("debian");
  }

  @Test
  void extra_slashes_mean_nothing() {
    assertThat(Purl.parse("pkg:///golang//github.com//gorilla/context/#/api/./../v1/"))
        .isEqualTo(Purl.parse("pkg:golang/github.com/gorilla/context#api/v1"));
  }

  @Test
  void the_text_a_person_sent_is_kept_but_not_compared() {
    var sent = Purl.parse("pkg:npm/%40babel/core@7.0.0");
    assertThat(sent).hasToString("pkg:npm/%40babel/core@7.0.0");
    assertThat(sent).hasSameHashCodeAs(Purl.parse("pkg:npm/@babel/core@7.0.0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | it does not start with 'pkg:'",
        "log4j:1.2 | it does not start with 'pkg:'",
        "https://example.com/a | it does not start with 'pkg:'",
        "pkg: | it needs a type and a name, as in pkg:npm/react",
        "pkg:npm | it needs a type and a name, as in pkg:npm/react",
        "pkg:npm/ | it needs a type and a name, as in pkg:npm/react",
        "pkg:npm/@ | it has no name",
        "pkg:npm/@1.0 | it has no name",
        "pkg:maven/a/@1.0 | it has no name",
        "pkg:maven/log4j-core@2.0 | Maven requires both a namespace and name",
        "pkg:n&g?inx/nginx@0.8.9 | it needs a type and a name",
        "pkg:3nginx/nginx | type cannot start with a number",
        "pkg:npm/foo bar | it contains a blank, which must be escaped",
        "pkg:npm/foo%zz | a '%' in it is not followed by two hexadecimal digits",
        "pkg:npm/foo%4 | a '%' in it is not followed by two hexadecimal digits",
        "pkg:npm/foo% | a '%' in it is not followed by two hexadecimal digits",
        "pkg:npm/foo%C3 | the percent escapes in 'foo%C3' are not UTF-8",
        "pkg:npm/foo%00 | 'foo%00' hides a control character",
        "pkg:npm/foo?arch | its qualifier 'arch' has no value",
        "pkg:npm/foo?a=1&A=2 | its qualifier 'a' is given twice",
        "pkg:npm/foo?in%20x=true | Qualifier key is invalid",
      })
  void a_refusal_says_what_is_wrong(String text, String reason) {
    assertThatThrownBy(() -> Purl.parse(text))
        .isInstanceOf(MalformedPurl.class)
        .hasMessageStartingWith("not a package URL: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pkg:npm/a\u0000b", "pkg:npm/a\nb", "pkg:npm/a\ud800b", "pkg:npm/a\u2003"})
  void characters_that_no_store_can_keep_are_refused(String text) {
    assertThatThrownBy(() -> Purl.parse(text)).isInstanceOf(MalformedPurl.class);
  }

  @Test
  void an_endless_text_is_refused_before_it_is_looked_at() {
    assertThatThrownBy(() -> Purl.parse("pkg:npm/" + "a".repeat(PurlText.MAX_LENGTH)))
        .hasMessageContaining("longer than 8192 characters");
  }
}
