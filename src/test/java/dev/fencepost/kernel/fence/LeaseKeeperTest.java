package dev.fencepost.kernel.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.platform.redis.WatchedRoad;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Renewal, on a real Redis and a clock of our own. */
@QuarkusTest
class LeaseKeeperTest {

  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration MAX_HOLD = Duration.ofMinutes(10);

  @Inject WatchedRoad redis;
  @Inject Lanes lanes;

  private final String test = UUID.randomUUID().toString();
  private final SteppedClock clock = new SteppedClock();
  private LeaseKeeper keeper;

  @org.junit.jupiter.api.BeforeEach
  void make() {
    keeper = new LeaseKeeper(redis, clock, new Settings(), new SimpleMeterRegistry());
  }

  @Test
  void ten_thousand_leases_are_renewed_in_one_script_call_per_lane() {
    for (var i = 0; i < 10_000; i++) {
      hold(lease("many-" + i), new CompletableFuture<>());
    }
    await(keeper.renewAll());
    assertThat(redis.tripsFor(operands -> operands.contains("many-") && operands.contains(test)))
        .hasSizeLessThanOrEqualTo(64)
        .hasSizeGreaterThan(32)
        .containsOnly("fence/renew");
  }

  @Test
  void a_renewed_lease_outlives_its_first_limit() {
    var lease = lease("kept");
    lock(lease, lease.holder());
    hold(lease, new CompletableFuture<>());
    clock.step(TTL.minusSeconds(1));
    await(keeper.renewAll());
    clock.step(TTL.minusSeconds(1));
    await(keeper.assureTimeFor(lease, Duration.ofMillis(1)));
    assertThat(ttl(lease)).isGreaterThan(TTL.toMillis() - 5_000);
  }

  @Test
  void a_lease_that_another_took_cancels_its_work_at_the_next_tick() {
    var lease = lease("taken");
    lock(lease, "someone/else");
    var cancelled = new AtomicBoolean();
    var outcome =
        keeper
            .whileHeld(
                lease,
                Uni.createFrom().nothing().onCancellation().invoke(() -> cancelled.set(true)))
            .subscribeAsCompletionStage();
    await(keeper.renewAll());
    assertThatThrownBy(() -> outcome.get(5, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(LeaseLost.class);
    assertThat(cancelled).isTrue();
    assertThat(renewals("taken")).isEqualTo(1);
    await(keeper.renewAll());
    assertThat(renewals("taken")).as("no renewal survives its work").isEqualTo(1);
  }

  @Test
  void a_process_that_slept_past_its_lease_finds_out_before_it_acts() {
    var lease = lease("slept");
    lock(lease, lease.holder());
    hold(lease, new CompletableFuture<>());
    clock.step(TTL.plusSeconds(1));
    assertThatThrownBy(() -> await(keeper.assureTimeFor(lease, Duration.ofMillis(1))))
        .isInstanceOf(LeaseLost.class);
  }

  @Test
  void a_hung_holder_is_not_renewed_for_ever() {
    var lease = lease("hung");
    lock(lease, lease.holder());
    var outcome = keeper.whileHeld(lease, Uni.createFrom().nothing()).subscribeAsCompletionStage();
    clock.step(MAX_HOLD.plusSeconds(1));
    await(keeper.renewAll());
    assertThatThrownBy(() -> outcome.get(5, TimeUnit.SECONDS)).hasMessageContaining("max-hold");
  }

  @Test
  void each_lease_moves_its_entry_in_its_own_agenda() {
    var ticket = lease("ticket");
    var key =
        new Lease(
            ticket.lane(),
            ticket.key() + "-key",
            ticket.lane().key("other", "agenda", test),
            ticket.subject(),
            ticket.holder() + "-key",
            new FencingToken(1));
    for (var lease : java.util.List.of(ticket, key)) {
      lock(lease, lease.holder());
      await(
          redis.send(Request.cmd(Command.ZADD).arg(lease.agendaKey()).arg(1).arg(lease.subject())));
      hold(lease, new CompletableFuture<>());
    }
    await(keeper.renewAll());
    for (var lease : java.util.List.of(ticket, key)) {
      var due =
          await(
              redis.send(Request.cmd(Command.ZSCORE).arg(lease.agendaKey()).arg(lease.subject())));
      assertThat(Double.parseDouble(due.toString())).isGreaterThan(1_000_000);
    }
  }

  @Test
  void finished_work_is_not_renewed() {
    var lease = lease("done");
    lock(lease, lease.holder());
    await(keeper.whileHeld(lease, Uni.createFrom().item("done")));
    await(keeper.renewAll());
    assertThat(renewals("done")).isZero();
  }

  private void hold(Lease lease, CompletableFuture<String> work) {
    keeper.whileHeld(lease, Uni.createFrom().completionStage(work)).subscribeAsCompletionStage();
  }

  private long renewals(String name) {
    return redis.tripsFor(operands -> operands.contains(name + "-" + test)).stream()
        .filter("fence/renew"::equals)
        .count();
  }

  private Lease lease(String name) {
    var id = name + "-" + test;
    var lane = lanes.of(id);
    return new Lease(
        lane,
        lane.key("test", "lease", id),
        lane.key("test", "agenda"),
        id,
        "here/" + id,
        new FencingToken(1));
  }

  private void lock(Lease lease, String holder) {
    await(redis.send(Request.cmd(Command.SET).arg(lease.key()).arg(holder).arg("PX").arg(20_000)));
  }

  private long ttl(Lease lease) {
    return await(redis.send(Request.cmd(Command.PTTL).arg(lease.key()))).toLong();
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }

  /** A clock that moves when told. */
  private static final class SteppedClock extends Entropy {

    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    void step(Duration by) {
      nanos += by.toNanos();
    }
  }

  private record Settings() implements LeaseSettings {

    @Override
    public Duration ttl() {
      return TTL;
    }

    @Override
    public Optional<Duration> renewEvery() {
      return Optional.empty();
    }

    @Override
    public Duration maxHold() {
      return MAX_HOLD;
    }
  }
}
