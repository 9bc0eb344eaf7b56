package dev.fencepost.chaos;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The causes of alerts that lie in data: a broken advisory, a feed that can no longer be read, a
 * ticket that someone wrote into. The service goes on with what it has, and shows it.
 */
class SickDataIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Path DATA = Path.of("target", "chaos", "sick-data-feeds");
  private static final Path KEV = DATA.resolve("kev.json");
  private static final Path ADVISORIES = DATA.resolve("advisories");

  /** On top of what it needs anyway, these leave less than a tenth of 48 MB. */
  private static final int RECORDS_FOR_ALL_MEMORY = 15_000;

  private static Arena arena;
  private static ServiceProcess replica;
  private static Load load;

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(ADVISORIES);
    Files.deleteIfExists(ADVISORIES.resolve("broken.json"));
    copy(Path.of("examples", "kev"), "known_exploited_vulnerabilities.json", KEV);
    copy(
        Path.of("examples", "advisories"),
        "GHSA-jfh8-c2jp-5v3q.json",
        ADVISORIES.resolve("log4shell.json"));
    arena =
        Arena.with(
            Map.of(
                "fencepost.advisories.source", "local",
                "fencepost.advisories.local.path", ADVISORIES.toString(),
                "fencepost.advisories.local.check-every", "1s",
                "fencepost.kev.location", KEV.toString(),
                "fencepost.kev.refresh-every", "2s"),
            "sick-data",
            "s");
    replica = arena.replicas().get(0);
    load = new Load(arena.outside());
  }

  @AfterAll
  static void end() {
    arena.close();
  }

  private static void copy(Path from, String name, Path to) throws IOException {
    try (var files = Files.find(from, 3, (file, about) -> file.endsWith(name))) {
      Files.copy(files.findFirst().orElseThrow(), to, REPLACE_EXISTING);
    }
  }

  @Test
  void a_broken_advisory_is_counted_and_the_others_are_used() throws IOException {
    Patience.until("one is known", SOON, () -> shown("fencepost_advisories_records") > 0);
    Files.writeString(ADVISORIES.resolve("broken.json"), "{\"id\": \"GHSA-");

    Patience.until("it is counted", SOON, () -> shown("fencepost_advisories_broken") > 0);
    assertThat(shown("fencepost_advisories_records")).as("the others").isPositive();
  }

  @Test
  void a_feed_that_can_no_longer_be_read_grows_old_and_is_still_used() throws IOException {
    Patience.until("it is used", SOON, () -> shown("fencepost_kev_age_seconds") >= 0);
    Files.writeString(KEV, "<html>we have moved</html>");

    Patience.until("it fails", SOON, () -> shown("fencepost_kev_refresh_failures_total") > 0);
    var age = shown("fencepost_kev_age_seconds");
    Patience.until("it grows old", SOON, () -> shown("fencepost_kev_age_seconds") > age + 3);
    assertThat(replica.get("/q/health/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void a_ticket_that_cannot_be_read_is_counted_and_stops_no_other() throws IOException {
    var before = shown("fencepost_tickets_unreadable_total");
    Device.put(replica, "/v1/assets/spoilt", "{\"address\":\"tcp://nowhere.invalid:1\"}");
    load.assess(replica, "spoilt", 0);
    Patience.until(
        "it waits for its next attempt",
        SOON,
        () -> shown("fencepost_step_duration_seconds_count", "outcome=\"failed\"") > 0);
    spoilTickets();

    Patience.until(
        "it is counted", SOON, () -> shown("fencepost_tickets_unreadable_total") > before);
    load.register(replica, "sound");
    load.assess(replica, "sound", 10);
    assertThat(load.known(replica, "sound")).contains("FINISHED");
  }

  @Test
  void more_advisories_than_the_memory_is_made_for_are_seen_before_it_is_too_late()
      throws IOException, InterruptedException {
    var all = Files.createDirectories(DATA.resolve("too-many"));
    writeCopies(all.resolve("all.zip"), RECORDS_FOR_ALL_MEMORY);
    var settings =
        Map.of(
            ServiceProcess.HEAP,
            "48m",
            "fencepost.advisories.source",
            "local",
            "fencepost.advisories.local.path",
            all.toString());
    try (var small = Arena.with(settings, "sick-memory", "m")) {
      var m = small.replicas().get(0);
      Patience.until(
          "all are used",
          SOON,
          () -> Scrape.of(m, "fencepost_advisories_records") >= RECORDS_FOR_ALL_MEMORY);
      m.collectGarbage();

      assertThat(Scrape.of(m, "jvm_memory_usage_after_gc", "area=\"heap\"")).isGreaterThan(0.9);
      assertThat(m.get("/q/health/live").statusCode()).as("not too late").isEqualTo(200);
    }
  }

  private static void writeCopies(Path to, int copies) throws IOException {
    var record = Files.readString(ADVISORIES.resolve("log4shell.json"));
    try (var zip = new ZipOutputStream(Files.newOutputStream(to))) {
      zip.setLevel(Deflater.BEST_SPEED);
      for (var i = 0; i < copies; i++) {
        zip.putNextEntry(new ZipEntry("copy-" + i + ".json"));
        zip.write(
            record
                .replace("GHSA-jfh8-c2jp-5v3q", "GHSA-copy-" + i)
                .replace("log4j-core", "copy-" + i)
                .getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static void spoilTickets() {
    for (var lane = 0; lane < Arena.lanes(); lane++) {
      var pattern = "assessment:{" + lane + "}:ticket:*";
      for (var key : (List<?>) arena.redis().send("KEYS", pattern)) {
        arena.redis().send("HSET", key.toString(), "attempts", "many");
      }
    }
  }

  private static double shown(String metric, String... labels) {
    return Scrape.of(replica, metric, labels);
  }
}
