package dev.fencepost.assessment.advisory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.assessment.advisory.OsvStub.Reply;
import dev.fencepost.asset.Component;
import dev.fencepost.asset.Purl;
import dev.fencepost.asset.SourcePackage;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.kernel.fence.FencingToken;
import dev.fencepost.platform.time.Entropy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OsvApiTest {

  private static final Effect EFFECT =
      new Effect("t-1:VULNERABILITY_QUERY", new FencingToken(7), "00-a-b-01");

  private OsvStub osv;
  private OsvApi api;

  @BeforeEach
  void starts() throws IOException {
    osv = new OsvStub();
    api = new OsvApi(new HttpForTests(), TestSettings.osvApi(osv.url() + "/"), new Entropy());
  }

  @AfterEach
  void stops() {
    osv.close();
  }

  @Test
  void log4shell_is_found_scored_and_grouped() throws IOException {
    osv.records.put(
        "GHSA-jfh8-c2jp-5v3q",
        Files.readString(Path.of("examples/advisories/maven/GHSA-jfh8-c2jp-5v3q.json")));
    osv.records.put(
        "CVE-2021-44228",
        """
        {"id": "CVE-2021-44228", "modified": "2024-01-01T00:00:00Z"}
        """);
    found("org.apache.logging.log4j:log4j-core", "", null, "GHSA-jfh8-c2jp-5v3q", "CVE-2021-44228");

    var matches = match("pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1?type=jar");

    assertThat(matches.source()).isEqualTo("osv-api");
    assertThat(matches.unevaluated()).isEmpty();
    assertThat(matches.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.vulnerabilityId()).isEqualTo("GHSA-jfh8-c2jp-5v3q");
              assertThat(finding.aliases()).containsExactly("CVE-2021-44228");
              assertThat(finding.cvssScore()).isEqualTo(10.0);
              assertThat(finding.fixedVersions()).containsExactly("2.15.0");
            });
  }

  @Test
  void every_request_says_for_which_ticket_and_by_which_holder_it_is() {
    anything("a", "X-1");

    match("pkg:npm/a@1.0.0");

    assertThat(osv.received).hasSize(2);
    assertThat(osv.received)
        .allSatisfy(
            request ->
                assertThat(request.headers())
                    .containsEntry("Idempotency-key", List.of("t-1:VULNERABILITY_QUERY"))
                    .containsEntry("X-fencing-token", List.of("7"))
                    .containsEntry("Traceparent", List.of("00-a-b-01")));
  }

  @Test
  void an_inventory_is_asked_for_in_batches_of_at_most_a_thousand() {
    anything("p1500", "X-1");
    var purls =
        IntStream.range(0, 2500).mapToObj(i -> "pkg:npm/p" + i + "@1.0.0").toArray(String[]::new);

    var matches = match(purls);

    assertThat(osv.batches()).extracting(q -> q.size()).containsExactlyInAnyOrder(1000, 1000, 500);
    assertThat(matches.findings()).extracting(Finding::purl).containsExactly("pkg:npm/p1500@1.0.0");
  }

  @Test
  void pages_are_asked_for_until_there_is_none_and_only_where_there_is_one() {
    result("a", "", "{\"vulns\":[" + reference("X-1") + "],\"next_page_token\":\"t1\"}");
    result("a", "t1", "{\"next_page_token\":\"t2\"}"); // the server ran out of time
    result("a", "t2", "{\"vulns\":[" + reference("X-2") + "]}");
    record("X-1", "a");
    record("X-2", "a");

    var matches = match("pkg:npm/a@1.0.0", "pkg:npm/b@1.0.0");

    assertThat(matches.findings())
        .extracting(Finding::vulnerabilityId)
        .containsExactly("X-1", "X-2");
    assertThat(osv.batches()).extracting(q -> q.size()).containsExactly(2, 1, 1);
    assertThat(osv.batches().get(1).get(0).path("page_token").asText()).isEqualTo("t1");
  }

  @Test
  void pages_without_end_are_unavailable_and_not_cut_short() {
    for (var token : List.of("", "t")) {
      result("a", token, "{\"vulns\":[" + reference("X-1") + "],\"next_page_token\":\"t\"}");
    }

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0"))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessageContaining("did not end after 5 pages");
    assertThat(osv.batches()).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_bad_query_is_unevaluated_and_the_others_are_answered(boolean namesTheIndex) {
    osv.namesTheIndex = namesTheIndex;
    osv.bad.put("bad", "invalid query");
    anything("c", "X-1");

    var matches =
        match("pkg:npm/a@1.0.0", "pkg:npm/b@1.0.0", "pkg:npm/bad@1.0.0", "pkg:npm/c@1.0.0");

    assertThat(matches.findings()).extracting(Finding::purl).containsExactly("pkg:npm/c@1.0.0");
    assertThat(matches.unevaluated())
        .containsExactly(
            new Unevaluated("pkg:npm/bad@1.0.0", "the OSV API refused the query: invalid query"));
  }

  @Test
  void a_server_that_refuses_everything_is_unavailable() {
    osv.behaviour = request -> new Reply(400, "<html>who are you?</html>");
    var purls =
        IntStream.range(0, 200).mapToObj(i -> "pkg:npm/p" + i + "@1.0.0").toArray(String[]::new);

    assertThatThrownBy(() -> match(purls))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessageContaining("refused more than 3 queries");
    assertThat(osv.received).hasSizeLessThan(30);
  }

  @Test
  void a_record_is_fetched_once_for_each_edition() {
    anything("a", "X-1");
    anything("b", "X-1");
    match("pkg:npm/a@1.0.0", "pkg:npm/b@1.0.0");
    match("pkg:npm/a@1.0.0");
    assertThat(osv.fetched()).containsExactly("/v1/vulns/X-1");

    result("a", "", "{\"vulns\":[{\"id\":\"X-1\",\"modified\":\"2025-01-01T00:00:00Z\"}]}");
    match("pkg:npm/a@1.0.0");
    assertThat(osv.fetched()).hasSize(2);
  }

  @Test
  void the_records_kept_are_bounded() {
    for (var i = 0; i < 4; i++) { // one more than are kept
      anything("p" + i, "X-" + i);
      match("pkg:npm/p" + i + "@1.0.0");
    }

    match("pkg:npm/p3@1.0.0");
    match("pkg:npm/p0@1.0.0");

    assertThat(osv.fetched())
        .containsExactly(
            "/v1/vulns/X-0", "/v1/vulns/X-1", "/v1/vulns/X-2", "/v1/vulns/X-3", "/v1/vulns/X-0");
  }

  @Test
  void a_record_that_is_named_but_not_there_is_unevaluated() {
    result("a", "", "{\"vulns\":[" + reference("X-1") + "," + reference("X-2") + "]}");
    record("X-1", "a");

    var matches = match("pkg:npm/a@1.0.0");

    assertThat(matches.findings()).extracting(Finding::vulnerabilityId).containsExactly("X-1");
    assertThat(matches.unevaluated())
        .containsExactly(
            new Unevaluated(
                "pkg:npm/a@1.0.0",
                "the OSV API named X-2, but did not give it: Vulnerability not found"));
  }

  @Test
  void a_withdrawn_record_is_no_finding() {
    anything("a", "X-1");
    osv.records.put(
        "X-1",
        "{\"id\":\"X-1\",\"modified\":\"2024-01-01T00:00:00Z\",\"withdrawn\":\"2024-01-01T00:00:00Z\"}");

    assertThat(match("pkg:npm/a@1.0.0").findings()).isEmpty();
  }

  @Test
  void the_server_is_trusted_where_the_ranges_do_not_confirm_it() {
    anything("a", "X-1");

    assertThat(match("pkg:npm/a@2.0.0").findings())
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.notes()).containsExactly(OsvApi.SERVER_ALONE_NOTE));
  }

  @Test
  void debian_is_asked_by_release_and_source_package_and_each_question_once() {
    var source = new SourcePackage("openssl", "1.1.1d-0+deb10u2");
    found("openssl", "", null, "X-1");
    record("X-1", "openssl");

    var matches =
        match(
            List.of(
                new Component(
                    Purl.parse("pkg:deb/debian/libssl1.1@1.1.1d?distro=debian-10.2"), source),
                new Component(Purl.parse("pkg:deb/debian/openssl@1.1.1d?distro=buster"), source)));

    assertThat(osv.batches())
        .singleElement()
        .satisfies(
            queries ->
                assertThat(queries)
                    .hasToString(
                        "[{\"package\":{\"ecosystem\":\"Debian:10\",\"name\":\"openssl\"},"
                            + "\"version\":\"1.1.1d-0+deb10u2\"}]"));
    assertThat(matches.findings()).hasSize(2);
  }

  @Test
  void a_version_that_is_none_here_is_unevaluated_although_the_server_answered() {
    assertThat(match("pkg:npm/left@x.y", "pkg:gem/a@1").unevaluated())
        .containsExactlyInAnyOrder(
            new Unevaluated("pkg:npm/left@x.y", "version is not SemVer"),
            new Unevaluated("pkg:gem/a@1", "ecosystem gem is not supported"));
  }

  @Test
  void nothing_to_ask_is_not_asked() {
    assertThat(match("pkg:gem/a@1").findings()).isEmpty();
    assertThat(osv.received).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503, 504})
  void a_failure_that_passes_is_waited_out(int status) {
    anything("a", "X-1");
    var requests = new AtomicInteger();
    osv.behaviour =
        request -> requests.incrementAndGet() % 2 == 1 ? new Reply(status, "") : osv.usual(request);

    assertThat(match("pkg:npm/a@1.0.0").findings()).hasSize(1);
    assertThat(osv.received).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500})
  void a_failure_that_stays_is_unavailable_after_so_many_tries(int status) {
    osv.behaviour = request -> new Reply(status, "");

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0"))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessage("the OSV API answered " + status);
    assertThat(osv.received).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 403, 404})
  void an_answer_that_repeating_does_not_help_is_not_repeated(int status) {
    osv.behaviour = request -> new Reply(status, "");

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0"))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessageContaining(" " + status);
    assertThat(osv.received).hasSize(1);
  }

  @Test
  void a_record_that_cannot_be_fetched_is_unavailable_and_not_left_out() {
    anything("a", "X-1");
    osv.behaviour =
        request ->
            request.path().startsWith("/v1/vulns/") ? new Reply(500, "") : osv.usual(request);

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0")).isInstanceOf(AdvisoriesUnavailable.class);
  }

  @Test
  void a_server_that_does_not_answer_in_time_is_unavailable() {
    var never = new CountDownLatch(1);
    osv.behaviour =
        request -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new Reply(200, "{}");
        };

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0"))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessage("the OSV API gave no answer: timed out");
    assertThat(osv.received).hasSize(3);
    never.countDown();
  }

  @Test
  void a_server_that_is_not_there_is_unavailable() {
    osv.close();

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0"))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessageStartingWith("the OSV API gave no answer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "{}",
        "[]",
        "{\"results\":[]}",
        "{\"results\":[{},{}]}",
        "{\"results\":[null]}",
        "{\"results\":[{\"vulns\":{}}]}",
        "{\"results\":[{\"vulns\":[{\"id\":\"X-1\"}]}]}",
        "{\"results\":[{\"vulns\":[\"X-1\"]}]}",
      })
  void an_answer_of_another_shape_is_unavailable(String body) {
    osv.behaviour = request -> new Reply(200, body);

    assertThatThrownBy(() -> match("pkg:npm/a@1.0.0"))
        .isInstanceOf(AdvisoriesUnavailable.class)
        .hasMessageStartingWith("the OSV API's answer is wrong: ");
  }

  private Matches match(String... purls) {
    return match(Sboms.components(purls));
  }

  private Matches match(List<Component> components) {
    return api.match(components, EFFECT).await().atMost(Duration.ofSeconds(20));
  }

  /** A package with one flaw in version 1.0.0. */
  private void anything(String name, String id) {
    found(name, "", null, id);
    record(id, name);
  }

  private void record(String id, String name) {
    osv.records.put(
        id,
        """
        {"id": "%s", "modified": "2024-01-01T00:00:00Z", "affected": [
          {"package": {"ecosystem": "npm", "name": "%s"}, "versions": ["1.0.0"]}]}
        """
            .formatted(id, name));
  }

  private void found(
      String name, String token, @org.jspecify.annotations.Nullable String next, String... ids) {
    var references = List.of(ids).stream().map(OsvApiTest::reference).toList();
    result(
        name,
        token,
        "{\"vulns\":["
            + String.join(",", references)
            + "]"
            + (next == null ? "" : ",\"next_page_token\":\"" + next + "\"")
            + "}");
  }

  private static String reference(String id) {
    return "{\"id\":\"" + id + "\",\"modified\":\"2024-01-01T00:00:00.000001Z\"}";
  }

  private void result(String name, String token, String result) {
    osv.results.put(name + token, result);
  }
}
