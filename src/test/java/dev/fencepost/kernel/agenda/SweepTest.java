package dev.fencepost.kernel.agenda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LogLines;
import dev.fencepost.kernel.fence.Lane;
import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.platform.redis.WatchedRoad;
import dev.fencepost.platform.telemetry.LogFacts;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What every sweep promises. */
@QuarkusTest
class SweepTest {

  private static final String LEFT = "fencepost.left.by.the.sweep.test";
  private static final String CUT_SHORT = "fencepost.sweeps.cut.short";

  @Inject Sweeps sweeps;
  @Inject Agenda agenda;
  @Inject Lanes lanes;
  @Inject MeterRegistry metrics;
  @Inject WatchedRoad road;

  @Test
  void every_lane_is_looked_at_once() {
    var seen = ConcurrentHashMap.<Lane>newKeySet();
    var numbers =
        await(
            sweep()
                .lanes(
                    lane -> {
                      assertThat(seen.add(lane)).isTrue();
                      return Uni.createFrom().item(lane.number());
                    }));
    assertThat(numbers).hasSize(lanes.count());
    assertThat(seen).isEqualTo(Set.copyOf(lanes.allFrom(0)));
  }

  @Test
  void a_bad_item_is_counted_and_stops_no_other() {
    var before = metrics.counter(LEFT).count();
    var done = new ArrayList<Integer>();
    try (var lines = LogLines.of(Sweep.class.getName())) {
      await(sweep().each(List.of(1, 2, 3, 4), LogFacts.NONE::lane, item -> work(item, done)));
      assertThat(lines.with("cannot handle 2").facts()).isEqualTo(Map.of("lane", "2"));
      assertThat(lines.with("cannot handle 3").facts()).isEqualTo(Map.of("lane", "3"));
    }
    assertThat(done).containsExactly(1, 4);
    assertThat(metrics.counter(LEFT).count() - before).isEqualTo(2);
  }

  /** What fails before it has begun is as bad as what fails later. */
  private static Uni<Void> work(int item, List<Integer> done) {
    if (item == 2) {
      throw new IllegalStateException("bad from the start");
    }
    return Uni.createFrom()
        .voidItem()
        .invoke(
            () -> {
              if (item == 3) {
                throw new IllegalStateException("bad");
              }
              done.add(item);
            });
  }

  @Test
  void an_absent_redis_ends_a_sweep_and_not_the_next() {
    var before = metrics.counter(CUT_SHORT).count();
    var left = metrics.counter(LEFT).count();
    var key = "sweep-test:" + UUID.randomUUID();
    road.lose(1, WatchedRoad.Fault.REQUEST_LOST, keys -> keys.contains(key));
    var sweep = sweep();
    assertThat(
            await(sweep.lanes(lane -> sweep.each(List.of(key), item -> LogFacts.NONE, this::look))))
        .isNull();
    assertThat(metrics.counter(CUT_SHORT).count()).isGreaterThan(before);
    assertThat(metrics.counter(LEFT).count()).isEqualTo(left);
    assertThat(await(sweep.lanes(lane -> look(key)))).isNotNull();
  }

  private Uni<Void> look(String key) {
    return agenda.due(key, 1).replaceWithVoid();
  }

  private Sweep sweep() {
    return sweeps.named("sweep under test", LEFT);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }
}
