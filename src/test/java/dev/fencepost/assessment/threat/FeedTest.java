package dev.fencepost.assessment.threat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.platform.outgoing.ForbiddenAddress;
import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.outgoing.OutgoingHttp.Request;
import dev.fencepost.platform.outgoing.Unreachable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedTest {

  private static final String URL = "https://feeds.example/kev/catalogue.json?key=secret";
  private static final String OLD = catalogue("old", "CVE-2014-0160");
  private static final String NEW = catalogue("new", "CVE-2021-44228");

  @TempDir Path folder;

  private final ScriptedHttp http = new ScriptedHttp();
  private final SetClock clock = new SetClock();
  private final MeterRegistry metrics = new SimpleMeterRegistry();

  @Test
  void the_bundled_samples_are_there_without_any_setting() {
    var kev = new KevCatalog(FeedSettings.sample(), http, clock, metrics);
    var epss = new EpssScores(FeedSettings.sample(), http, clock, metrics);
    kev.loadAtStart(new StartupEvent());
    epss.loadAtStart(new StartupEvent());
    assertThat(kev.newest().orElseThrow().version()).isEqualTo("2025.08.25");
    assertThat(epss.newest().orElseThrow().date()).isEqualTo("2026-08-16");
    assertThat(gauge("fencepost_kev_entries")).isEqualTo(1404);
    assertThat(gauge("fencepost_epss_scores")).isEqualTo(4029);
  }

  @Test
  void a_file_that_is_missing_at_the_start_is_unknown_until_it_appears() throws IOException {
    var file = folder.resolve("kev.json");
    var feed = kev(FeedSettings.at(file.toString()));
    feed.loadAtStart();
    assertThat(feed.newest()).isEmpty();
    assertThat(gauge("fencepost_kev_age_seconds")).isNaN();
    assertThat(failures()).isEqualTo(1);

    Files.writeString(file, NEW);
    feed.refresh().await().indefinitely();
    assertThat(version(feed)).isEqualTo("new");
  }

  @Test
  void a_file_url_is_a_file() throws IOException {
    var file = Files.writeString(folder.resolve("kev.json"), NEW);
    var feed = kev(FeedSettings.at(file.toUri().toString()));
    feed.loadAtStart();
    assertThat(version(feed)).isEqualTo("new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "<html>", "{\"catalogVersion\":\"2\",\"vulnerabilities\":[]}"})
  void a_broken_feed_never_replaces_a_good_one(String broken) {
    http.answering(200, OLD).answering(200, broken).answering(200, NEW);
    var feed = kev(FeedSettings.at(URL));
    feed.refresh().await().indefinitely();
    assertThatThrownBy(() -> feed.refresh().await().indefinitely())
        .isInstanceOf(UnusableFeed.class);
    assertThat(version(feed)).isEqualTo("old");
    assertThat(failures()).isEqualTo(1);
    feed.refresh().await().indefinitely();
    assertThat(version(feed)).isEqualTo("new");
  }

  @Test
  void a_copy_that_someone_took_is_not_changed_by_a_refresh() {
    http.answering(200, OLD).answering(200, NEW);
    var feed = kev(FeedSettings.at(URL));
    feed.refresh().await().indefinitely();
    var taken = feed.newest().orElseThrow();
    feed.refresh().await().indefinitely();
    assertThat(taken.version()).isEqualTo("old");
    assertThat(taken.cves()).containsExactly("CVE-2014-0160");
  }

  @Test
  void the_start_does_not_wait_for_a_network() {
    var feed = kev(FeedSettings.at(URL));
    feed.loadAtStart();
    assertThat(feed.newest()).isEmpty();
    assertThat(http.asked).isEmpty();
    assertThat(failures()).isZero();
  }

  @Test
  void a_feed_that_is_away_is_asked_again_until_it_answers() {
    http.failing(new Unreachable(Unreachable.Kind.REFUSED, "refused"))
        .answering(503, "")
        .answering(200, NEW);
    var feed = kev(FeedSettings.at(URL));
    feed.keepFresh().await().indefinitely();
    assertThat(version(feed)).isEqualTo("new");
    assertThat(failures()).isEqualTo(2);
  }

  @Test
  void asking_again_ends_when_the_next_refresh_is_due() {
    var settings =
        new FeedSettings(
            Optional.of(folder.resolve("never.json").toString()),
            FeedSettings.MANY_BYTES,
            Duration.ofMillis(20));
    var feed = kev(settings);
    feed.keepFresh().await().indefinitely();
    assertThat(feed.newest()).isEmpty();
    assertThat(failures()).isPositive();
  }

  @Test
  void a_young_copy_is_not_read_again_by_the_first_tick_after_the_start() {
    http.answering(200, OLD).answering(200, NEW);
    var feed = kev(FeedSettings.at(URL));
    feed.keepFresh().await().indefinitely();
    feed.keepFresh().await().indefinitely();
    assertThat(http.asked).hasSize(1);

    clock.advance(FeedSettings.SIX_HOURS);
    assertThat(gauge("fencepost_kev_age_seconds")).isEqualTo(6 * 60 * 60);
    feed.keepFresh().await().indefinitely();
    assertThat(version(feed)).isEqualTo("new");
    assertThat(gauge("fencepost_kev_age_seconds")).isZero();
  }

  @Test
  void a_packed_feed_is_known_by_its_first_bytes() throws IOException {
    http.answering(200, packed(NEW));
    var feed = kev(FeedSettings.at(URL));
    feed.refresh().await().indefinitely();
    assertThat(version(feed)).isEqualTo("new");
  }

  @Test
  void a_packed_feed_that_unpacks_to_more_than_allowed_is_refused() throws IOException {
    var padded = NEW.replace("{\"title\":\"", "{\"title\":\"" + " ".repeat(100_000));
    assertThat(packed(padded)).hasSizeLessThan(1000);
    http.answering(200, packed(padded));
    var feed = kev(new FeedSettings(Optional.of(URL), 10_000, FeedSettings.SIX_HOURS));
    assertThatThrownBy(() -> feed.refresh().await().indefinitely())
        .isInstanceOf(UnusableFeed.class)
        .hasMessage("it could not be read: it is longer than 10000 bytes");
  }

  @Test
  void a_download_is_bounded_and_trusts_the_configured_address_only() {
    http.redirecting("/kev/2026.json").answering(200, NEW);
    var feed = kev(FeedSettings.at(URL));
    feed.refresh().await().indefinitely();
    assertThat(http.asked).extracting(Request::reach).containsExactly(Reach.TRUSTED, Reach.GUARDED);
    assertThat(http.asked.get(1).target()).hasToString("https://feeds.example/kev/2026.json");
    assertThat(http.asked.get(0).maxAnswerBytes()).isEqualTo(64 << 20);
    assertThat(http.asked.get(0).timeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void redirects_end() {
    http.redirecting("/1").redirecting("/2").redirecting("/3").redirecting("/4");
    assertUnusable("it redirects more than 3 times");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://feeds.example/kev.json", "file:/etc/passwd", "ftp://x/y"})
  void a_redirect_does_not_leave_https(String elsewhere) {
    http.redirecting(elsewhere);
    assertUnusable("it redirects away from https");
  }

  @Test
  void a_forbidden_address_is_said_to_be_forbidden() {
    http.failing(new ForbiddenAddress("10.0.0.1 is not allowed"));
    assertUnusable("not allowed: 10.0.0.1 is not allowed");
  }

  @Test
  void an_answer_that_is_no_success_is_no_feed() {
    http.answering(404, NEW);
    assertUnusable("it answered 404");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://feeds.example/kev.json", "s3://bucket/kev.json"})
  void a_location_nothing_here_can_read_stops_the_start(String location) {
    assertThatThrownBy(() -> FeedLocation.of(Optional.of(location), "/none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http(s)");
  }

  @Test
  void the_name_in_the_log_has_no_folder_host_or_key() {
    assertThat(FeedLocation.of(Optional.of(URL), "/none").name()).isEqualTo("catalogue.json");
    assertThat(FeedLocation.of(Optional.of("/secret/place/kev.csv"), "/none").name())
        .isEqualTo("kev.csv");
  }

  @Test
  void the_csv_form_is_known_by_its_name() throws IOException {
    var file = Files.writeString(folder.resolve("KEV.CSV"), "cveID\nCVE-2021-44228\n");
    var kev = new KevCatalog(FeedSettings.at(file.toString()), http, clock, metrics);
    kev.loadAtStart(new StartupEvent());
    assertThat(kev.newest().orElseThrow().cves()).containsExactly("CVE-2021-44228");
  }

  private void assertUnusable(String message) {
    var feed = kev(FeedSettings.at(URL));
    assertThatThrownBy(() -> feed.refresh().await().indefinitely())
        .isInstanceOf(UnusableFeed.class)
        .hasMessage(message);
  }

  private Feed<KevEntries> kev(FeedSettings settings) {
    var location = FeedLocation.of(settings.location(), "/none");
    return new Feed<>("kev", location, settings, KevJson::read, http, clock, metrics);
  }

  private static String version(Feed<KevEntries> feed) {
    return String.valueOf(feed.newest().orElseThrow().version());
  }

  private double gauge(String name) {
    return metrics.get(name).gauge().value();
  }

  private double failures() {
    return metrics.get("fencepost_kev_refresh_failures").counter().count();
  }

  private static String catalogue(String version, String cve) {
    return "{\"title\":\"\",\"catalogVersion\":\"%s\",\"count\":1,\"vulnerabilities\":[{\"cveID\":\"%s\"}]}"
        .formatted(version, cve);
  }

  private static byte[] packed(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
