package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A holder that stands still in the middle of a step, and goes on when its right is gone. */
class ZombieIT {

  private static final Duration RESUMED_WITHIN = Duration.ofSeconds(20);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static Arena arena;
  private static Load load;

  private final String asset = "zombie-" + NUMBER.incrementAndGet();

  @BeforeAll
  static void start() {
    arena = Arena.open("zombie", "a", "b");
    load = new Load(arena.outside());
  }

  @AfterAll
  static void end() {
    arena.close();
  }

  /**
   * @param step where it stands still
   * @param answered whether the answer it waits for is there when it goes on, so that the first
   *     thing it does is to write; if not, it is its lease that it misses first
   * @param calls of the webhook: the one that it was stopped in cannot be taken back
   */
  @ParameterizedTest(name = "{0}, answered meanwhile: {1}")
  @CsvSource({
    "VULNERABILITY_QUERY, true, 1",
    "VULNERABILITY_QUERY, false, 1",
    "ONLINE_CHECK, true, 1",
    "NOTIFICATION, true, 2"
  })
  void a_stopped_process_that_goes_on_changes_nothing_and_is_refused_once(
      String step, boolean answered, int calls) {
    var a = arena.replicas().get(0);
    var b = arena.replicas().get(1);
    load.register(b, asset);
    var hold = arena.outside().holdNext(step);
    assertThat(load.assess(a, asset, 0)).isTrue();
    hold.awaitEntered();
    if (step.equals("VULNERABILITY_QUERY")) {
      Scenarios.awaitOnline(arena, asset);
    }
    a.stop();
    var id = Scenarios.ticketOf(arena, asset).orElseThrow().ticketId();

    Patience.until("b has finished " + id, RESUMED_WITHIN, () -> isFinished(b, id));
    var before = load.ticket(b, id);
    var knownBefore = load.known(b, asset);
    assertThat(before).contains("\"level\":\"HIGH\"").endsWith("\"stale_writes_refused\":0}");
    if (answered) {
      hold.release();
    }
    a.goOn();
    Patience.until("the zombie is refused", RESUMED_WITHIN, () -> !refusals(id).isEmpty());
    hold.release();
    Patience.pause(Arena.LEASE.toMillis());

    assertThat(load.ticket(b, id)).isEqualTo(refusedOnce(before));
    assertThat(load.ticket(a, id)).isEqualTo(refusedOnce(before));
    assertThat(load.known(b, asset)).isEqualTo(refusedOnce(knownBefore));
    assertThat(refusals(id))
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.token()).isEqualTo(hold.token());
              assertThat(refusal.newestToken()).isGreaterThan(hold.token());
              assertThat(refusal.outcome()).isEqualTo("STALE_TOKEN");
            });
    assertThat(callsFor(id)).hasSize(calls);
    assertNoViolations();
  }

  /** The step asks nobody outside, so its holder is stopped when what it found is on its way. */
  @Test
  void what_a_stopped_process_found_of_threats_comes_too_late_to_change_anything() {
    var a = arena.replicas().get(0);
    var b = arena.replicas().get(1);
    load.register(b, asset);
    var hold = arena.proxyOf(a).holdNext("THREAT_INTELLIGENCE");
    assertThat(load.assess(a, asset, 0)).isTrue();
    hold.awaitEntered();
    a.stop();
    var id = Scenarios.ticketOf(arena, asset).orElseThrow().ticketId();

    Patience.until("b has finished " + id, RESUMED_WITHIN, () -> isFinished(b, id));
    var before = load.ticket(b, id);
    hold.release();
    a.goOn();
    Patience.until("the zombie is refused", RESUMED_WITHIN, () -> !refusals(id).isEmpty());
    Patience.pause(Arena.LEASE.toMillis());

    assertThat(load.ticket(b, id)).isEqualTo(refusedOnce(before));
    assertThat(refusals(id)).hasSize(1);
    assertThat(callsFor(id)).hasSize(1);
    assertNoViolations();
  }

  @Test
  void a_stopped_process_that_goes_on_while_its_successor_is_at_the_same_step_is_refused() {
    var a = arena.replicas().get(0);
    var b = arena.replicas().get(1);
    load.register(b, asset);

    var id = Scenarios.wakeBesideSuccessor(arena, load, a, asset);

    Patience.until("b has finished " + id, RESUMED_WITHIN, () -> isFinished(b, id));
    Patience.pause(Arena.LEASE.toMillis());
    assertThat(refusals(id)).hasSize(1);
    assertThat(callsFor(id)).hasSize(1);
    assertNoViolations();
  }

  private static String refusedOnce(String ticket) {
    return ticket.replace("\"stale_writes_refused\":0}", "\"stale_writes_refused\":1}");
  }

  private static boolean isFinished(ServiceProcess replica, String id) {
    return load.ticket(replica, id).contains("\"status\":\"FINISHED\"");
  }

  private static List<Event> refusals(String id) {
    return arena.history().lanes().stream()
        .flatMap(List::stream)
        .filter(event -> event.isRefusal() && event.ticketId().equals(id))
        .toList();
  }

  private static List<Call> callsFor(String id) {
    return arena.outside().calls().stream().filter(call -> call.ticketId().equals(id)).toList();
  }

  private static void assertNoViolations() {
    var violations = ChaosChecker.check(arena.history());
    assertThat(violations).as(ChaosChecker.describe(violations)).isEmpty();
  }
}
