package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.platform.redis.RedisRoad;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A month leaves for a file: whole, signed, once; and what stays still verifies. */
@QuarkusTest
class ArchiveTest {

  @Inject ArchiveMonths archiving;
  @Inject ArchiveStore archives;
  @Inject ProjectLane projection;
  @Inject LaneStream streams;
  @Inject VerifyLedger verification;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject DataSource database;

  @ConfigProperty(name = "fencepost.data-dir")
  Path dataDir;

  @TempDir Path folder;

  private final String resource = "archive-" + UUID.randomUUID();

  @BeforeEach
  void record() {
    append(3);
    project();
  }

  /** Whatever left, the next month is there for other tests. */
  @AfterEach
  void goOn() {
    append(1);
    project();
  }

  @Test
  void a_month_leaves_for_a_file_that_verifies_by_itself_and_the_rest_verifies_from_there() {
    var before = number("SELECT count(*) FROM audit_event");

    await(archiving.archive(month(), folder));

    assertThat(number("SELECT count(*) FROM audit_event")).isZero();
    assertThat(verify().verified()).isTrue();
    assertThat(output()).startsWith("0 ").contains(before + " events", "1 archives", "VERIFIED");

    append(2);
    project();
    assertThat(number("SELECT count(*) FROM audit_event WHERE resource_id = '%s'")).isEqualTo(2);
    assertThat(verify().verified()).isTrue();
    assertThat(number("SELECT min(sequence) FROM audit_event WHERE resource_id = '%s'"))
        .as("the chain goes on")
        .isGreaterThan(3);
  }

  @Test
  void the_chain_tells_that_a_month_has_left() throws IOException {
    await(archiving.archive(month(), folder));
    assertThat(isTold()).isTrue();
  }

  @Test
  void a_crash_before_the_cut_changes_nothing_and_the_next_try_cleans_up() throws IOException {
    var first = await(streams.takeArchive()).orElseThrow();
    await(archiving.write(month(), folder, first));
    await(streams.release(first));
    assertThat(files()).hasSize(1);
    assertThat(number("SELECT count(*) FROM audit_event WHERE resource_id = '%s'")).isEqualTo(3);

    await(archiving.archive(month(), folder));

    assertThat(files()).hasSize(1);
    assertThat(output()).startsWith("0 ");
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void a_holder_that_was_overtaken_cuts_nothing() {
    var zombie = await(streams.takeArchive()).orElseThrow();
    var late = await(archiving.write(month(), folder, zombie));
    free(zombie);
    var month = month();
    await(archiving.archive(month, folder));
    append(2);
    project();

    assertThatThrownBy(() -> await(archives.cut(late, zombie.token())))
        .hasMessageContaining("has left");

    assertThat(number("SELECT count(*) FROM audit_event WHERE resource_id = '%s'")).isEqualTo(2);
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void a_month_that_grew_since_it_was_read_stays() {
    var lease = await(streams.takeArchive()).orElseThrow();
    var written = await(archiving.write(month(), folder, lease));
    append(1);
    project();

    assertThatThrownBy(() -> await(archives.cut(written, lease.token())))
        .hasMessageContaining("has grown");

    assertThat(number("SELECT count(*) FROM audit_event WHERE resource_id = '%s'")).isEqualTo(4);
    assertThat(
            number(
                "SELECT count(*) FROM audit_partition WHERE archived AND month = '"
                    + month().month()
                    + "'"))
        .isZero();
    free(lease);
  }

  @Test
  void a_month_that_was_tampered_with_stays_where_it_is() throws IOException {
    run("UPDATE audit_event SET user_id = 'eve' WHERE resource_id = '%s'");
    try {
      assertThatThrownBy(() -> await(archiving.archive(month(), folder)))
          .hasMessageContaining("history is damaged");
      assertThat(number("SELECT count(*) FROM audit_event WHERE resource_id = '%s'")).isEqualTo(3);
      assertThat(files()).isEmpty();
    } finally {
      run("UPDATE audit_event SET user_id = NULL WHERE resource_id = '%s'");
    }
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void a_forged_cut_is_no_anchor() {
    await(archiving.archive(month(), folder));
    append(1);
    project();
    run("UPDATE audit_archive SET payload = replace(payload, 'begins', 'Begins')");
    try {
      assertThat(verify().verified()).isFalse();
    } finally {
      run("UPDATE audit_archive SET payload = replace(payload, 'Begins', 'begins')");
    }
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void only_whole_months_beyond_the_retention_are_due() {
    var march = new Partition(LocalDate.of(2026, 3, 1), "audit_event_2026_03");
    assertThat(march.isOlderThan(2, Instant.parse("2026-05-31T23:59:59Z"))).isFalse();
    assertThat(march.isOlderThan(2, Instant.parse("2026-06-01T00:00:00Z"))).isTrue();
  }

  private String output() {
    var out = new ByteArrayOutputStream();
    try {
      var code =
          VerifyAudit.run(
              List.of(files().get(0).toString(), dataDir.resolve("keys").toString()),
              new PrintStream(out, true, UTF_8));
      return code + " " + out.toString(UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<Path> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  private Partition month() {
    return await(archives.oldest()).orElseThrow();
  }

  private void free(Lease lease) {
    await(streams.release(lease));
  }

  private VerifyAnswer verify() {
    return await(verification.verify(Optional.empty()));
  }

  private void append(int events) {
    for (var i = 0; i < events; i++) {
      await(
          redis.send(
              Request.cmd(Command.XADD)
                  .arg("audit:{" + lane().number() + "}:events")
                  .arg("*")
                  .arg("action")
                  .arg("LOGIN")
                  .arg("resource_type")
                  .arg("user")
                  .arg("resource_id")
                  .arg(resource)));
    }
  }

  /** The first try after a month has left finds no table, and has it made anew. */
  private void project() {
    await(projection.project(lane()).onFailure().retry().atMost(2));
  }

  /** The trail hands over when it can. */
  private boolean isTold() throws IOException {
    var archive = files().get(0).getFileName().toString();
    var told =
        "SELECT count(*) FROM audit_event WHERE action = 'AUDIT_ARCHIVED' AND resource_id = '";
    var end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (number(told + archive + "'") == 0 && System.nanoTime() < end) {
      await(projection.project(lanes.of(archive)).onFailure().retry().atMost(2));
    }
    return number(told + archive + "'") == 1;
  }

  private Lane lane() {
    return lanes.of(resource);
  }

  private void run(String sql) {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql.replace("%s", resource));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private long number(String sql) {
    try (var connection = database.getConnection();
        var rows = connection.createStatement().executeQuery(sql.replace("%s", resource))) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }
}
