package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Months leave for files while the process that moves them is killed, wherever it is. */
class ArchiveIT {

  private static final int MONTHS = Chaos.number("chaos.months", 4);
  private static final int EVENTS_PER_LANE = 400;

  /** A month takes about this long; a kill falls anywhere into it, or shortly behind it. */
  private static final int A_MONTH_TAKES_MS = 400;

  private static final Pattern EVENT = Pattern.compile("^\\{\"event_id\":\"([^\"]+)\"");
  private static final String DUE =
      "SELECT count(*) FROM audit_partition WHERE NOT archived"
          + " AND month < date_trunc('month', now()) - interval '1 month'";

  private Path folder;

  @BeforeEach
  void somethingIsInTheWay(@TempDir Path parent) throws IOException {
    folder = Files.createFile(parent.resolve("months"));
  }

  @Test
  void nothing_is_lost_and_nothing_is_there_twice_however_often_the_mover_is_killed()
      throws IOException {
    var random = new Random(Chaos.seed());
    try (var postgres = new ChaosPostgres("archive");
        var arena = Arena.with(settings(postgres), "archive")) {
      remember(arena);
      var mover = arena.add("a");
      Patience.until(
          "it is told that no month can leave",
          Duration.ofSeconds(120),
          () -> Scrape.of(mover, "fencepost_audit_archive_failures_total") > 0);
      Files.delete(folder);
      Files.createDirectory(folder);
      Patience.until(
          "the ledger has all of it",
          Duration.ofSeconds(120),
          () -> postgres.number("SELECT coalesce(sum(sequence), 0) FROM audit_head") >= written());
      var kills = 0;
      for (; kills < MONTHS && postgres.number(DUE) > 0; kills++) {
        var before = names();
        Patience.until(
            "the archive goes on",
            Duration.ofSeconds(90),
            () -> !before.containsAll(names()) || postgres.number(DUE) == 0);
        Patience.pause(random.nextInt(A_MONTH_TAKES_MS));
        mover.killAndReplace();
        mover.awaitReady();
      }
      Patience.until(
          "all months have left", Duration.ofSeconds(120), () -> postgres.number(DUE) == 0);
      System.out.printf("archive: events=%d files=%d kills=%d%n", written(), files().size(), kills);
      assertThat(kills).isPositive();
      assertWhole(postgres);
      assertThat(Device.get(mover, "/v1/audit/verify")).contains("\"verified\":true");
      assertThat(offline()).isZero();
    }
  }

  private Map<String, String> settings(ChaosPostgres postgres) {
    var settings = new HashMap<>(postgres.settings());
    settings.put("fencepost.audit.project", "true");
    settings.put("fencepost.audit.retention", "1");
    settings.put("fencepost.audit.archive.path", folder.toString());
    settings.put("fencepost.audit.archive.every", "1s");
    return settings;
  }

  /** What happened in months that have gone, as streams have it that nobody took from. */
  private static void remember(Arena arena) {
    var first = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(1).minusMonths(MONTHS + 1L);
    for (var month = 0; month < MONTHS; month++) {
      var begin = first.plusMonths(month).atStartOfDay(ZoneOffset.UTC).plusHours(1).toInstant();
      for (var lane = 0; lane < Arena.lanes(); lane++) {
        arena
            .redis()
            .send(
                "EVAL",
                "for i = 1, ARGV[2] do redis.call('XADD', KEYS[1], string.format('%.0f-1',"
                    + " ARGV[1] + i * 1000), 'action', 'LOGIN', 'resource_type', 'user',"
                    + " 'resource_id', 'someone') end return 1",
                "1",
                "audit:{" + lane + "}:events",
                Long.toString(begin.toEpochMilli()),
                Integer.toString(EVENTS_PER_LANE));
      }
    }
  }

  private static long written() {
    return (long) MONTHS * Arena.lanes() * EVENTS_PER_LANE;
  }

  /** Of files that are whole, and of such that are being written or were left behind. */
  private Set<String> names() {
    try (var found = Files.list(folder)) {
      return found.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> files() {
    return names().stream()
        .filter(name -> name.endsWith(".gz"))
        .sorted()
        .map(folder::resolve)
        .toList();
  }

  /** Each event is in one recorded file or in the ledger, and none is in both. */
  private void assertWhole(ChaosPostgres postgres) throws IOException {
    var recorded = postgres.column("SELECT name, events::text FROM audit_archive");
    assertThat(files())
        .extracting(file -> file.getFileName().toString())
        .containsAll(recorded.keySet());
    var seen = new ArrayList<String>();
    for (var file : files()) {
      if (recorded.containsKey(file.getFileName().toString())) {
        var events = eventsOf(file);
        assertThat(events).hasSize(Integer.parseInt(recorded.get(file.getFileName().toString())));
        seen.addAll(events);
      }
    }
    assertThat(seen.size()).isEqualTo((int) written());
    seen.addAll(postgres.column("SELECT event_id, event_id FROM audit_event").keySet());
    assertThat(seen).doesNotHaveDuplicates();
    assertThat((long) seen.size())
        .isEqualTo(postgres.number("SELECT sum(sequence) FROM audit_head"));
    assertThat(recorded).as("a file for each month").hasSizeGreaterThanOrEqualTo(MONTHS);
    assertThat(files()).as("what a dead holder left is taken away").hasSize(recorded.size());
    assertThat(names()).noneMatch(name -> name.endsWith(".part"));
  }

  private static List<String> eventsOf(Path file) throws IOException {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .map(EVENT::matcher)
          .filter(event -> event.find())
          .map(event -> event.group(1))
          .toList();
    }
  }

  /** All files together, as anybody verifies them who has the keys: the exit code. */
  private int offline() throws IOException {
    var all = folder.resolve("all.gz");
    try (var out = Files.newOutputStream(all)) {
      for (var file : files()) {
        if (!file.equals(all)) {
          Files.copy(file, out);
        }
      }
    }
    var process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-jar",
                Path.of("target", "quarkus-app", "quarkus-run.jar").toString(),
                "verify-audit",
                all.toString(),
                SharedKey.folder(Path.of("target", "chaos")).toString())
            .inheritIO()
            .start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
