package dev.fencepost.kernel.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.redis.LuaScript;
import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.SimpleStringType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is to be kept reaches the disk first and Redis then, in order, whatever dies in between. */
class SpoolTest {

  @TempDir Path data;

  private final FakeRedis redis = new FakeRedis();
  private final MeterRegistry metrics = new SimpleMeterRegistry();
  private Spool spool;

  @AfterEach
  void close() {
    if (spool != null) {
      spool.close();
    }
  }

  @Test
  void events_go_to_redis_in_order_and_the_disk_is_empty_again() throws IOException {
    spool = spool("a", 1_000_000);
    offer(1, 250);
    drain();
    assertThat(redis.numbers()).containsExactlyElementsOf(numbers(1, 250));
    assertThat(Files.size(file("a"))).isZero();
  }

  @Test
  void while_redis_is_away_they_wait_on_disk_and_go_in_order_when_it_is_back() throws IOException {
    spool = spool("a", 1_000_000);
    redis.away = true;
    offer(1, 30);
    drain();
    offer(31, 60);
    drain();
    assertThat(redis.numbers()).isEmpty();
    assertThat(Files.size(file("a"))).isPositive();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("a"))))
        .isEqualTo("rw-------");

    redis.away = false;
    offer(61, 70);
    drain();

    assertThat(redis.numbers()).containsExactlyElementsOf(numbers(1, 70));
    assertThat(Files.size(file("a"))).isZero();
  }

  @Test
  void what_a_dead_process_left_goes_first_and_its_file_goes_with_it() {
    spool = spool("a", 1_000_000);
    redis.away = true;
    offer(1, 5);
    drain();
    spool.close();

    redis.away = false;
    spool = spool("b", 1_000_000);
    offer(101, 103);
    drain();

    assertThat(redis.numbers())
        .containsExactlyElementsOf(List.of("1", "2", "3", "4", "5", "101", "102", "103"));
    assertThat(file("a")).doesNotExist();
  }

  @Test
  void a_process_that_took_over_a_file_can_still_write_its_own() throws IOException {
    spool = spool("a", 1_000_000);
    redis.away = true;
    offer(1, 2);
    drain();
    spool.close();
    spool = spool("b", 1_000_000);
    offer(3, 4);
    drain();
    assertThat(Files.size(file("b"))).isPositive();
    redis.away = false;
    drain();
    assertThat(redis.numbers()).containsExactlyElementsOf(numbers(1, 4));
  }

  @Test
  void what_a_living_process_holds_is_left_to_it() {
    spool = spool("a", 1_000_000);
    redis.away = true;
    offer(1, 5);
    drain();
    redis.away = false;
    var other = spool("b", 1_000_000);
    await(other.drain());
    other.close();
    assertThat(redis.numbers()).isEmpty();
    assertThat(file("a")).exists();
  }

  @Test
  void an_event_that_was_torn_by_a_kill_is_counted_and_the_ones_before_it_go() throws IOException {
    spool = spool("a", 1_000_000);
    redis.away = true;
    offer(1, 2);
    drain();
    spool.close();
    Files.writeString(file("a"), "{\"lane\":3,\"fie", StandardOpenOption.APPEND);

    redis.away = false;
    spool = spool("b", 1_000_000);
    drain();

    assertThat(redis.numbers()).containsExactly("1", "2");
    assertThat(metrics.counter("fencepost.audit.dropped", "why", "torn").count()).isEqualTo(1);
  }

  @Test
  void a_full_disk_drops_loudly() {
    spool = spool("a", 100);
    redis.away = true;
    offer(1, 10);
    drain();
    offer(11, 20);
    drain();
    assertThat(metrics.counter("fencepost.audit.dropped", "why", "disk full").count())
        .isEqualTo(10);
    redis.away = false;
    drain();
    assertThat(redis.numbers()).containsExactlyElementsOf(numbers(1, 10));
  }

  private Spool spool(String process, long limit) {
    return new Spool(
        new AuditStreamStore(redis, SettingsForTests.of(limit)),
        data.toString(),
        process,
        SettingsForTests.of(limit),
        metrics);
  }

  private Path file(String process) {
    return data.resolve("audit-spool").resolve(process + ".spool");
  }

  private void offer(int from, int to) {
    numbers(from, to).forEach(n -> spool.offer(new SpooledEvent(3, Map.of("process_sequence", n))));
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
  }

  private void drain() {
    await(spool.drain());
  }

  private static void await(Uni<Void> uni) {
    uni.await().atMost(Duration.ofSeconds(30));
  }

  /** Takes appends, or is away. */
  private static final class FakeRedis implements RedisRoad {

    volatile boolean away;
    private final List<String> appended = new CopyOnWriteArrayList<>();

    List<String> numbers() {
      return appended;
    }

    @Override
    public Uni<Response> send(Request request) {
      return Uni.createFrom()
          .deferred(
              () -> {
                if (away) {
                  return Uni.createFrom().failure(gone());
                }
                var words = request.toString().split("process_sequence", 2)[1];
                appended.add(
                    words.replaceAll("^\\W*\\$\\d+\\W+", "").replaceAll("\\D.*", "").strip());
                return Uni.createFrom().item(SimpleStringType.create("1-1"));
              });
    }

    private static RuntimeException gone() {
      try {
        var make = RedisUnavailable.class.getDeclaredMethod("noAnswer", String.class);
        make.setAccessible(true);
        return (RuntimeException) make.invoke(null, "away");
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Uni<Response> run(LuaScript script, List<String> keys, List<String> args) {
      throw new AssertionError("the spool runs no scripts");
    }

    @Override
    public Uni<Response> runConfirmed(LuaScript script, List<String> keys, List<String> args) {
      throw new AssertionError("the spool runs no scripts");
    }
  }
}
