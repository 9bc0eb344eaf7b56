package dev.fencepost.assessment;

import static dev.fencepost.assessment.TicketStatus.ASSET_ONLINE;
import static dev.fencepost.assessment.TicketStatus.FINISHED;
import static dev.fencepost.assessment.TicketStatus.INIT;
import static dev.fencepost.assessment.TicketStatus.VULN_CHECK_DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.fence.Lease;
import dev.fencepost.kernel.fence.LeaseLost;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.telemetry.Trace;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promise itself: no write without the newest right, and every refusal can be seen. */
@QuarkusTest
class FenceTest {

  private static final Trace TRACE =
      Trace.fresh(
          new byte[] {
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
          });

  @Inject TicketStore tickets;
  @Inject TicketViewStore views;
  @Inject RedisRoad redis;
  @Inject Lanes lanes;
  @Inject Scheduler scheduler;

  private final String asset = "fence-" + UUID.randomUUID();

  /** Else the service's own sweeper takes over what a test leaves due, once in a while. */
  @BeforeEach
  void holdTheSweeper() {
    scheduler.pause();
  }

  @AfterEach
  void letTheSweeperGo() {
    scheduler.resume();
  }

  @Test
  void a_write_with_an_older_token_changes_not_one_byte() {
    var old = opened();
    var newer = takenOver(old);
    advance(newer, INIT, ASSET_ONLINE);
    var before = dump(keys(old).ticket());

    var refused = catchThrowableOfType(LeaseLost.class, () -> advance(old, INIT, ASSET_ONLINE));

    assertThat(refused.cause()).isEqualTo(LeaseLost.Cause.REFUSED);
    assertThat(dump(keys(old).ticket())).isEqualTo(before);
    assertThat(await(views.find(id(old))).orElseThrow().staleWritesRefused()).isEqualTo(1);
    assertThat(lastEvent(old))
        .containsEntry("action", "STALE_WRITE_REFUSED")
        .containsEntry("outcome", "STALE_TOKEN")
        .containsEntry("fencing_token", old.lease().token().toString())
        .containsEntry("newest_token", newer.lease().token().toString())
        .containsEntry("resource_id", id(old));
  }

  @Test
  void a_stale_holder_is_refused_as_often_as_it_tries_and_recorded_once() {
    var old = opened();
    takenOver(old);

    assertThat(await(tickets.letGo(old, old.ticket().progress()))).isEqualTo(Recorded.STALE_TOKEN);
    catchThrowableOfType(LeaseLost.class, () -> advance(old, INIT, ASSET_ONLINE));
    assertThat(await(tickets.letGo(old, old.ticket().progress()))).isEqualTo(Recorded.STALE_TOKEN);

    assertThat(await(views.find(id(old))).orElseThrow().staleWritesRefused()).isEqualTo(1);
    assertThat(lastEvent(old)).containsEntry("path", "");
  }

  @Test
  void a_holder_that_only_believes_to_be_stale_gives_the_ticket_back_and_is_not_refused() {
    var run = opened();
    advance(run, INIT, ASSET_ONLINE);

    assertThat(await(tickets.letGo(run, run.ticket().progress()))).isEqualTo(Recorded.RECORDED);

    var left = await(views.find(id(run))).orElseThrow();
    assertThat(left.status()).isEqualTo(ASSET_ONLINE);
    assertThat(left.staleWritesRefused()).isZero();
    assertThat(send(Request.cmd(Command.EXISTS).arg(keys(run).lease())).toInteger()).isZero();
  }

  @Test
  void who_is_refused_is_alive_and_did_not_die_over_the_ticket() {
    var first = opened();
    var second = takenOver(first);
    assertThat(second.deaths()).isEqualTo(1);
    await(tickets.letGo(first, first.ticket().progress()));
    var third = takenOver(second);
    assertThat(third.deaths()).as("only the second left without a word").isEqualTo(1);
    advance(third, INIT, ASSET_ONLINE);
    assertThat(takenOver(third).deaths()).as("progress was made in between").isEqualTo(1);
  }

  @Test
  void who_let_go_of_its_ticket_may_say_so_again_and_is_not_refused() {
    var run = opened();
    finish(run);
    assertThat(await(tickets.letGo(run, run.ticket().progress()))).isEqualTo(Recorded.RECORDED);
    var ended = await(views.find(id(run))).orElseThrow();
    assertThat(ended.status()).isEqualTo(FINISHED);
    assertThat(ended.staleWritesRefused()).isZero();
  }

  @Test
  void a_write_by_another_holder_with_the_right_token_changes_not_one_byte() {
    var run = opened();
    var lease = run.lease();
    var stranger =
        new Lease(
            lease.lane(), lease.key(), lease.agendaKey(), lease.subject(), "x/y", lease.token());
    var before = dump(keys(run).ticket());

    catchThrowableOfType(
        LeaseLost.class,
        () -> advance(new Run(stranger, run.ticket(), TRACE, 0), INIT, ASSET_ONLINE));

    assertThat(dump(keys(run).ticket())).isEqualTo(before);
    assertThat(await(views.find(id(run))).orElseThrow().staleWritesRefused()).isEqualTo(1);
    assertThat(lastEvent(run)).containsEntry("outcome", "LEASE_LOST");
  }

  @Test
  void a_write_after_the_lease_ran_out_is_refused_though_nobody_took_over() {
    var run = opened();
    send(Request.cmd(Command.DEL).arg(keys(run).lease()));
    var before = dump(keys(run).ticket());

    catchThrowableOfType(LeaseLost.class, () -> advance(run, INIT, ASSET_ONLINE));

    assertThat(dump(keys(run).ticket())).isEqualTo(before);
  }

  @Test
  void an_edge_that_the_table_does_not_have_is_refused() {
    var run = opened();
    var before = dump(keys(run).ticket());

    catchThrowableOfType(IllegalStateException.class, () -> advance(run, INIT, VULN_CHECK_DONE));

    assertThat(dump(keys(run).ticket())).isEqualTo(before);
    assertThat(lastEvent(run)).containsEntry("outcome", "ILLEGAL_TRANSITION");
  }

  @Test
  void every_accepted_write_leaves_one_event_per_transition() {
    var run = advance(opened(), INIT, ASSET_ONLINE);
    assertThat(lastEvent(run))
        .containsEntry("action", "TICKET_ASSET_ONLINE")
        .containsEntry("outcome", "accepted")
        .containsEntry("from", "INIT")
        .containsEntry("fencing_token", run.lease().token().toString());
  }

  @Test
  void an_asset_has_one_unfinished_ticket() {
    var run = opened();
    assertThat(
            await(
                tickets.open(asset, new Entropy().freshId(), Origin.ofService(TRACE), true, false)))
        .isEqualTo(new Opening.Joined(id(run)));
    assertThat(
            await(
                tickets.open(
                    asset, new Entropy().freshId(), Origin.ofService(TRACE), false, false)))
        .isEqualTo(new Opening.Joined(id(run)));
  }

  @Test
  void a_ticket_that_ended_since_the_caller_looked_is_answered_and_not_assessed_again() {
    finish(opened());
    assertThat(
            await(
                tickets.open(asset, new Entropy().freshId(), Origin.ofService(TRACE), true, false)))
        .isInstanceOf(Opening.Fresh.class)
        .isEqualTo(new Opening.Fresh(await(views.fresh(asset)).orElseThrow()));
    assertThat(
            await(
                tickets.open(asset, new Entropy().freshId(), Origin.ofService(TRACE), true, true)))
        .isInstanceOf(Opening.Opened.class);
  }

  @Test
  void
      what_was_found_out_about_an_asset_that_changed_meanwhile_is_no_answer_for_the_next_who_asks() {
    var run = opened();
    await(views.forgetFresh(asset));
    finish(run);
    assertThat(await(views.fresh(asset))).isEmpty();

    finish(opened());
    assertThat(await(views.fresh(asset))).isPresent();
  }

  @Test
  void tokens_rise_over_holders_tickets_and_a_clock_that_runs_behind() {
    var first = opened();
    var second = takenOver(first);
    finish(second);
    send(
        Request.cmd(Command.HSET)
            .arg(keys(first).asset())
            .arg("fencing_token")
            .arg("3000000000000000"));
    send(Request.cmd(Command.SCRIPT).arg("FLUSH"));
    var third = opened();
    assertThat(
            List.of(
                first.lease().token().value(),
                second.lease().token().value(),
                third.lease().token().value()))
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(third.lease().token().value()).isEqualTo(3000000000000001L);
  }

  @Test
  void a_ticket_is_taken_over_only_when_it_is_due_and_unheld() {
    var run = opened();
    assertThat(await(tickets.acquire(run.lease().lane(), run.lease().subject()))).isEmpty();
    makeDue(run);
    assertThat(await(tickets.acquire(run.lease().lane(), run.lease().subject()))).isEmpty();
    send(Request.cmd(Command.DEL).arg(keys(run).lease()));
    var taken = await(tickets.acquire(run.lease().lane(), run.lease().subject())).orElseThrow();
    assertThat(taken.deaths()).isEqualTo(1);
    assertThat(taken.ticket().progress().attempts()).isEqualTo(2);
  }

  @Test
  void an_ended_ticket_is_never_taken_up_again() {
    var run = opened();
    finish(run);
    assertThat(await(tickets.acquire(run.lease().lane(), run.lease().subject()))).isEmpty();
    assertThat(send(Request.cmd(Command.EXISTS).arg(keys(run).lease())).toInteger()).isZero();
  }

  @Test
  void the_fast_filter_counts_refusals_that_come_after_the_end() {
    var old = opened();
    finish(takenOver(old));
    catchThrowableOfType(LeaseLost.class, () -> advance(old, INIT, ASSET_ONLINE));
    assertThat(await(views.fresh(asset)).orElseThrow()).endsWith("\"stale_writes_refused\":1}");
  }

  private Run opened() {
    return ((Opening.Opened)
            await(
                tickets.open(asset, new Entropy().freshId(), Origin.ofService(TRACE), true, true)))
        .run();
  }

  private Run takenOver(Run run) {
    makeDue(run);
    send(Request.cmd(Command.DEL).arg(keys(run).lease()));
    return await(tickets.acquire(run.lease().lane(), run.lease().subject())).orElseThrow();
  }

  private void makeDue(Run run) {
    send(Request.cmd(Command.ZADD).arg(keys(run).agenda()).arg(1).arg(run.lease().subject()));
  }

  private Run advance(Run run, TicketStatus from, TicketStatus to) {
    var next = run.ticket().with(run.ticket().progress().moved(to));
    return await(tickets.record(run, next, List.of(from, to), Then.KEEP));
  }

  private void finish(Run run) {
    var next = run.ticket().with(run.ticket().progress().moved(FINISHED));
    await(tickets.record(run, next, List.of(INIT, TicketStatus.ASSET_OFFLINE, FINISHED), Then.END));
  }

  private java.util.Map<String, String> lastEvent(Run run) {
    var events =
        send(
            Request.cmd(Command.XREVRANGE)
                .arg(keys(run).audit())
                .arg("+")
                .arg("-")
                .arg("COUNT")
                .arg(50));
    for (var event : events) {
      var fields = new java.util.HashMap<String, String>();
      var flat = new ArrayList<String>();
      event.get(1).forEach(value -> flat.add(value.toString()));
      for (var i = 0; i + 1 < flat.size(); i += 2) {
        fields.put(flat.get(i), flat.get(i + 1));
      }
      if (id(run).equals(fields.get("resource_id"))) {
        return fields;
      }
    }
    throw new AssertionError("no event for " + id(run));
  }

  private String dump(String key) {
    var fields = new java.util.TreeMap<String, String>();
    var flat = send(Request.cmd(Command.HGETALL).arg(key));
    flat.getKeys().forEach(field -> fields.put(field, flat.get(field).toString()));
    return fields.toString();
  }

  private Response send(Request request) {
    return await(redis.send(request));
  }

  private static TicketKeys keys(Run run) {
    return TicketKeys.ofEntry(run.lease().lane(), run.lease().subject());
  }

  private static String id(Run run) {
    return run.ticket().ticketId();
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(10));
  }
}
