package dev.fencepost.kernel.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.audit.RecordedEvent;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** From the stream into the chain, once; and whatever is done to the chain shows. */
@QuarkusTest
class LedgerTest {

  private static final Trace TRACE =
      Trace.fresh(
          new byte[] {
            9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
          });

  private static final String FAR_MONTH = "SELECT audit_partition_for('1990-01-01')";

  @Inject ProjectLane projection;
  @Inject LaneStream streams;
  @Inject LedgerStore ledger;
  @Inject LedgerView view;
  @Inject VerifyLedger verification;
  @Inject MakeCheckpoints checkpoints;
  @Inject EntryReader reader;
  @Inject AuditTrail trail;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject DataSource database;

  private final String resource = "ledger-" + UUID.randomUUID();

  @Test
  void an_event_is_recorded_once_with_everything_that_is_known_of_it() {
    append("LOGIN_FAILED", Map.of("why", "wrong password", "password", "hunter2"));
    project();
    project();

    var events = recorded();
    assertThat(events).hasSize(1);
    var event = events.get(0);
    assertThat(event.action()).isEqualTo("LOGIN_FAILED");
    assertThat(event.outcome()).isEqualTo("refused");
    assertThat(event.userId()).isEqualTo("mallory");
    assertThat(event.ipAddress()).isEqualTo("192.0.2.7");
    assertThat(event.traceId()).isEqualTo(TRACE.traceId());
    assertThat(event.resourceType()).isEqualTo("user");
    assertThat(event.details())
        .contains("\"password\":\"***\"", "\"why\":\"wrong password\"", "\"occurred_at\":")
        .doesNotContain("hunter2");
    assertThat(event.hash())
        .isEqualTo(Canonical.sha256(event.previousHash() + Canonical.json(event)));
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void the_last_event_that_was_taken_stays_in_the_stream_and_the_others_go() {
    appendThree();
    project();
    var left = await(streams.newest(lane(), 10));
    assertThat(left).hasSize(1);
    assertThat(left.get(0).id()).isEqualTo(head().streamId());
  }

  @Test
  void a_lane_is_moved_by_one_at_a_time_and_each_right_is_newer() {
    var first = await(streams.take(lane())).orElseThrow();
    assertThat(await(streams.take(lane()))).as("while another has it").isEmpty();
    await(streams.release(first));
    var second = await(streams.take(lane())).orElseThrow();
    await(streams.release(second));

    assertThat(second.token().value()).isGreaterThan(first.token().value());
  }

  @Test
  void two_at_once_record_everything_once() {
    appendThree();
    var first = await(streams.take(lane())).orElseThrow();
    send(Request.cmd(Command.DEL).arg(first.key()));
    var second = await(streams.take(lane())).orElseThrow();

    var both =
        Uni.join()
            .all(projection.batch(first), projection.batch(second))
            .andCollectFailures()
            .onFailure()
            .recoverWithItem(List.of());
    await(both);
    await(projection.batch(second));

    assertThat(recorded()).hasSize(3);
    assertThat(verify().verified()).isTrue();
    send(Request.cmd(Command.DEL).arg(second.key()));
  }

  @Test
  void a_zombie_with_an_older_right_writes_nothing() {
    appendThree();
    var zombie = await(streams.take(lane())).orElseThrow();
    send(Request.cmd(Command.DEL).arg(zombie.key()));
    var before = head();
    var slice = await(streams.after(before, lane(), 10)).orElseThrow();
    project();
    var late = Chain.extend(before, slice, Map.of(), reader);

    catchThrowableOfType(
        HeadMoved.class, () -> await(ledger.record(late, zombie.token(), List.of())));

    assertThat(recorded()).hasSize(3);
    appendThree();
    var stale = Chain.extend(head(), nextSlice(), Map.of(), reader);
    catchThrowableOfType(
        HeadMoved.class, () -> await(ledger.record(stale, zombie.token(), List.of())));
    assertThat(recorded()).as("its token is older than the head's").hasSize(3);
  }

  @Test
  void a_crash_between_commit_and_trim_records_nothing_twice() {
    appendThree();
    var lease = await(streams.take(lane())).orElseThrow();
    var before = head();
    var slice = await(streams.after(before, lane(), 10)).orElseThrow();
    var extension = Chain.extend(before, slice, Map.of(), reader);
    await(ledger.record(extension, lease.token(), List.of()));
    await(streams.release(lease));

    project();

    assertThat(recorded()).hasSize(3);
    assertThat(await(streams.newest(lane(), 10))).hasSize(1);
  }

  @Test
  void events_that_are_lost_before_they_were_taken_are_a_gap_that_verify_counts() {
    appendThree();
    project();
    appendThree();
    var gapsBefore = verify().gaps();
    var newest = await(streams.newest(lane(), 1)).get(0).id();
    await(streams.trim(lane(), newest));

    project();

    var answer = verify();
    assertThat(answer.verified()).isTrue();
    assertThat(answer.gaps()).isGreaterThan(gapsBefore);
    assertThat(byAction("AUDIT_GAP"))
        .anySatisfy(e -> assertThat(e.details()).contains("last_seen"));
  }

  @Test
  void a_number_that_a_process_used_and_that_never_came_is_a_gap_and_a_repeat_is_left_out() {
    var process = "p/" + UUID.randomUUID();
    xadd(process, 1);
    xadd(process, 2);
    xadd(process, 1);
    xadd(process, 5);
    xadd(process, 2);
    project();

    assertThat(recorded()).hasSize(3);
    assertThat(byAction("AUDIT_GAP"))
        .anySatisfy(
            gap -> assertThat(gap.details()).contains(process, "\"from\":\"3\"", "\"to\":\"4\""));
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void what_a_script_forgot_to_mask_is_masked_before_it_is_hashed() {
    send(
        Request.cmd(Command.XADD)
            .arg("audit:{" + lane().number() + "}:events")
            .arg("*")
            .arg("action")
            .arg("LOGIN")
            .arg("resource_type")
            .arg("user")
            .arg("resource_id")
            .arg(resource)
            .arg("why")
            .arg("password=hunter2")
            .arg("origin")
            .arg("{\"user_agent\": \"curl token=hunter2\"}"));
    project();
    var event = recorded().get(0);
    assertThat(event.details()).contains("password=***");
    assertThat(event.userAgent()).isEqualTo("curl token=***");
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void replicas_that_need_the_same_new_month_at_once_both_have_it() throws Exception {
    try (var first = database.getConnection();
        var made = first.createStatement()) {
      first.setAutoCommit(false);
      made.execute(FAR_MONTH);
      var second = CompletableFuture.runAsync(() -> run(FAR_MONTH));
      var end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (one("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
          .equals("0")) {
        assertThat(System.nanoTime()).as("the second waits").isLessThan(end);
      }
      first.commit();
      second.get(20, TimeUnit.SECONDS);
      assertThat(one("SELECT count(*) FROM audit_partition WHERE month = '1990-01-01'"))
          .isEqualTo("1");
    } finally {
      run("DROP TABLE IF EXISTS audit_event_1990_01");
      run("DELETE FROM audit_partition WHERE month = '1990-01-01'");
    }
  }

  @Test
  void one_byte_changed_in_the_details_is_found() {
    damaged(
        "UPDATE audit_event SET details = replace(details, 'second', 'Second') " + at(1),
        Damage.Kind.CHANGED,
        1);
  }

  @Test
  void a_row_written_anew_with_a_hash_that_fits_it_is_found() {
    appendThree();
    project();
    var forged = recorded().get(1);
    var other = forged.at(forged.timestamp(), forged.sequence(), forged.previousHash(), "");
    var user = "nobody";
    var hash =
        Canonical.sha256(
            forged.previousHash()
                + Canonical.json(other).replace("\"mallory\"", "\"" + user + "\""));
    tampered(
        "UPDATE audit_event SET user_id = '%s', hash = '%s' WHERE lane = %d AND sequence = %d"
            .formatted(user, hash, lane().number(), forged.sequence()),
        Damage.Kind.CHANGED,
        forged.sequence());
  }

  @Test
  void a_deleted_row_is_found() {
    damaged("DELETE FROM audit_event " + at(1), Damage.Kind.MISSING, 1);
  }

  @Test
  void two_swapped_rows_are_found() {
    appendThree();
    project();
    var first = recorded().get(0).sequence();
    tampered(
        "UPDATE audit_event SET sequence = CASE sequence WHEN %1$d THEN %2$d ELSE %1$d END"
                .formatted(first, first + 1)
            + " WHERE lane = %d AND sequence IN (%d, %d)"
                .formatted(lane().number(), first, first + 1),
        Damage.Kind.SWAPPED,
        first);
  }

  @Test
  void the_newest_ten_rows_cut_off_are_found() {
    for (var i = 0; i < 4; i++) {
      appendThree();
    }
    project();
    var kept = recorded().get(1);
    tampered(
        "DELETE FROM audit_event WHERE lane = %d AND sequence > %d"
            .formatted(lane().number(), kept.sequence()),
        Damage.Kind.CUT_OFF,
        kept.sequence() + 1);
  }

  @Test
  void the_newest_rows_cut_off_with_their_head_are_found_by_a_checkpoint() {
    appendThree();
    project();
    await(checkpoints.make(Duration.ZERO));
    var kept = recorded().get(0);
    tampered(
        "DELETE FROM audit_event WHERE lane = %1$d AND sequence > %2$d;"
                .formatted(lane().number(), kept.sequence())
            + "UPDATE audit_head SET sequence = %2$d, hash = '%3$s' WHERE lane = %1$d"
                .formatted(lane().number(), kept.sequence(), kept.hash()),
        Damage.Kind.CUT_OFF,
        kept.sequence() + 1);
  }

  @Test
  void a_chain_that_was_written_anew_from_its_start_is_found_by_a_checkpoint() {
    appendThree();
    project();
    await(checkpoints.make(Duration.ZERO));
    var last = recorded().get(2);
    var other = last.at(last.timestamp(), last.sequence(), last.previousHash(), "");
    var hash =
        Canonical.sha256(
            last.previousHash() + Canonical.json(other).replace("\"mallory\"", "\"eve\""));
    tampered(
        "UPDATE audit_event SET user_id = 'eve', hash = '%2$s' WHERE lane = %1$d AND sequence = %3$d;"
                .formatted(lane().number(), hash, last.sequence())
            + "UPDATE audit_head SET hash = '%s' WHERE lane = %d".formatted(hash, lane().number()),
        Damage.Kind.CHANGED,
        last.sequence());
  }

  @Test
  void a_row_put_in_with_a_hash_that_fits_is_found() {
    appendThree();
    project();
    var before = recorded().get(0);
    var itsPlace = recorded().get(1).timestamp(); // two rows of one number need different times
    var later = before.timestamp().plusMillis(1);
    var forged =
        before.at(
            later.equals(itsPlace) ? later.plusMillis(1) : later,
            before.sequence() + 1,
            before.hash(),
            "");
    tampered(
        insert(forged, "x-" + before.eventId(), Canonical.hash(renamed(forged, before))),
        Damage.Kind.INSERTED,
        before.sequence() + 1);
  }

  @Test
  void a_row_put_in_and_the_others_renumbered_is_found() {
    appendThree();
    project();
    var before = recorded().get(0);
    var forged = before.at(before.timestamp(), before.sequence() + 1, before.hash(), "");
    tampered(
        "UPDATE audit_event SET sequence = sequence + 1 WHERE lane = %d AND sequence > %d;"
                .formatted(lane().number(), before.sequence())
            + "UPDATE audit_head SET sequence = sequence + 1 WHERE lane = %d;"
                .formatted(lane().number())
            + insert(forged, "x-" + before.eventId(), Canonical.hash(renamed(forged, before))),
        Damage.Kind.INSERTED,
        before.sequence() + 1);
  }

  @Test
  void a_row_behind_the_head_is_found() {
    appendThree();
    project();
    var last = recorded().get(2);
    var forged = last.at(last.timestamp(), last.sequence() + 1, last.hash(), "");
    tampered(
        insert(forged, "x-" + last.eventId(), Canonical.hash(renamed(forged, last))),
        Damage.Kind.INSERTED,
        last.sequence() + 1);
  }

  @Test
  void a_partition_dropped_behind_the_ledgers_back_is_found() {
    appendThree();
    project();
    var first = recorded().get(0).sequence();
    var name = one("SELECT name FROM audit_partition WHERE month = date_trunc('month', now())");
    run("CREATE TABLE saved_month AS SELECT * FROM " + name);
    try {
      run("DROP TABLE " + name);
      var answer = verify();
      assertThat(answer.verified()).isFalse();
      assertThat(answer.kind()).isEqualTo(Damage.Kind.PARTITION_MISSING);
      assertThat(answer.problem()).contains(name);
      assertThat(answer.firstBadSequence()).isLessThanOrEqualTo(first);
      append("LOGIN_FAILED", Map.of());
      assertThat(catchThrowable(this::project)).hasMessageContaining("no partition");
      project();
      assertThat(verify().kind()).isEqualTo(Damage.Kind.PARTITION_MISSING);
    } finally {
      run("SELECT audit_partition_for(current_date)");
      run("INSERT INTO audit_event SELECT * FROM saved_month");
      run(
          "UPDATE audit_partition SET oid = to_regclass(name)::oid"
              + " WHERE month = date_trunc('month', now())");
      run("DROP TABLE saved_month");
    }
    assertThat(verify().verified()).isTrue();
  }

  @Test
  void a_checkpoint_that_is_not_what_was_signed_is_found() {
    appendThree();
    project();
    var made = await(checkpoints.make(Duration.ZERO)).orElseThrow();
    run(
        "UPDATE audit_checkpoint SET payload = replace(payload, '\"version\":1', '\"version\": 1')"
            + " WHERE number = "
            + made.number());
    try {
      var answer = verify();
      assertThat(answer.verified()).isFalse();
      assertThat(answer.kind()).isEqualTo(Damage.Kind.CHECKPOINT_FORGED);
    } finally {
      run(
          "UPDATE audit_checkpoint SET payload = replace(payload, '\"version\": 1', '\"version\":1')"
              + " WHERE number = "
              + made.number());
    }
    assertThat(verify().verified()).isTrue();
  }

  private static RecordedEvent renamed(RecordedEvent event, RecordedEvent original) {
    return new RecordedEvent(
        "x-" + original.eventId(),
        event.sequence(),
        event.lane(),
        event.timestamp(),
        event.traceId(),
        event.serviceName(),
        event.userId(),
        event.action(),
        event.resourceType(),
        event.resourceId(),
        event.outcome(),
        event.fencingToken(),
        event.details(),
        event.ipAddress(),
        event.userAgent(),
        event.previousHash(),
        "",
        event.version());
  }

  private String insert(RecordedEvent event, String eventId, String hash) {
    return ("INSERT INTO audit_event SELECT lane, %d, TIMESTAMPTZ '%s', '%s', trace_id, service_name,"
            + " user_id, action, resource_type, resource_id, outcome, fencing_token, details,"
            + " ip_address, user_agent, '%s', '%s', version FROM audit_event WHERE lane = %d AND"
            + " event_id = '%s'")
        .formatted(
            event.sequence(),
            event.timestamp(),
            eventId,
            event.previousHash(),
            hash,
            event.lane(),
            event.eventId());
  }

  private void damaged(String sql, Damage.Kind kind, int nth) {
    appendThree();
    project();
    tampered(sql.formatted(), kind, recorded().get(nth).sequence());
  }

  /** Does it, looks, and undoes it. */
  private void tampered(String sql, Damage.Kind kind, long firstBad) {
    var lane = lane().number();
    run("CREATE TABLE saved_events AS SELECT * FROM audit_event WHERE lane = " + lane);
    run("CREATE TABLE saved_head AS SELECT * FROM audit_head WHERE lane = " + lane);
    try {
      run(placed(sql));
      var answer = verify();
      assertThat(answer.verified()).isFalse();
      assertThat(answer.kind()).as(answer.problem()).isEqualTo(kind);
      assertThat(answer.firstBadSequence()).isEqualTo(firstBad);
    } finally {
      run("DELETE FROM audit_event WHERE lane = " + lane);
      run("INSERT INTO audit_event SELECT * FROM saved_events");
      run("DELETE FROM audit_head WHERE lane = " + lane);
      run("INSERT INTO audit_head SELECT * FROM saved_head");
      run("DROP TABLE saved_events");
      run("DROP TABLE saved_head");
    }
    assertThat(verify().verified()).isTrue();
  }

  private static String at(int nth) {
    return "WHERE @ = " + nth;
  }

  private String placed(String sql) {
    return sql.contains("@")
        ? sql.replace(
            "@",
            "lane = %d AND sequence - %d".formatted(lane().number(), recorded().get(0).sequence()))
        : sql;
  }

  private void appendThree() {
    append("LOGIN_FAILED", Map.of("n", "first"));
    append("LOGIN_FAILED", Map.of("n", "second"));
    append("LOGIN_FAILED", Map.of("n", "third"));
  }

  /** The trail hands over when it can; the stream shows that it has. */
  private void append(String action, Map<String, String> details) {
    var before = newestId();
    trail.append(
        new AuditEvent(
            action,
            "refused",
            "user",
            resource,
            Origin.ofRequest(TRACE, Optional.of("mallory"), "192.0.2.7", "curl"),
            details));
    var end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (newestId().equals(before)) {
      assertThat(System.nanoTime()).as("the trail hands over").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private StreamId newestId() {
    return await(streams.look(lane())).newest();
  }

  private void xadd(String process, int number) {
    send(
        Request.cmd(Command.XADD)
            .arg("audit:{" + lane().number() + "}:events")
            .arg("*")
            .arg("action")
            .arg("LOGIN")
            .arg("resource_type")
            .arg("user")
            .arg("resource_id")
            .arg(resource)
            .arg("process")
            .arg(process)
            .arg("process_sequence")
            .arg(number));
  }

  private Slice nextSlice() {
    return await(streams.after(head(), lane(), 10)).orElseThrow();
  }

  private void project() {
    await(projection.project(lane()));
  }

  private Head head() {
    return await(ledger.head(lane().number()));
  }

  private VerifyAnswer verify() {
    return await(verification.verify(Optional.of(lane().number())));
  }

  private List<RecordedEvent> recorded() {
    var query = new EventQuery(Map.of("resource_id", resource), null, null, 500, null);
    var newestFirst = new ArrayList<>(await(view.events(query)));
    newestFirst.sort(Comparator.comparingLong(RecordedEvent::sequence));
    return newestFirst;
  }

  private List<RecordedEvent> byAction(String action) {
    var query =
        new EventQuery(
            Map.of("action", action, "resource_id", "lane-" + lane().number()),
            null,
            null,
            500,
            null);
    return await(view.events(query));
  }

  private Lane lane() {
    return lanes.of(resource);
  }

  private void run(String sql) {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private String one(String sql) {
    try (var connection = database.getConnection();
        var rows = connection.createStatement().executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private Response send(Request request) {
    return await(redis.send(request));
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }
}
