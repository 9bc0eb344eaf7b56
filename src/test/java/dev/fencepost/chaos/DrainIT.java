package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A process that is asked to end while a ticket runs in it. */
class DrainIT {

  private static final Duration SOON = Duration.ofSeconds(20);

  private static Arena arena;
  private static Load load;

  @BeforeAll
  static void start() {
    arena = Arena.open("drain", "a", "b");
    load = new Load(arena.outside());
  }

  @AfterAll
  static void end() {
    arena.close();
  }

  @Test
  void a_ticket_that_cannot_end_in_time_is_handed_over_and_its_attempt_does_not_count() {
    var a = arena.replicas().get(0);
    var b = arena.replicas().get(1);
    load.register(b, "drained");
    var hold = arena.outside().holdNext("VULNERABILITY_QUERY");
    assertThat(load.assess(a, "drained", 0)).isTrue();
    hold.awaitEntered();
    var id = arena.history().tickets().keySet().iterator().next();

    a.terminate(SOON);

    assertThat(arena.history().lanes().stream().flatMap(java.util.List::stream))
        .filteredOn(event -> event.ticketId().equals(id))
        .extracting(Event::action)
        .as("released by its holder, not lost")
        .contains("TICKET_RECORDED")
        .doesNotContain("STALE_WRITE_REFUSED");
    Patience.until(
        "b has finished it", SOON, () -> load.ticket(b, id).contains("\"status\":\"FINISHED\""));
    hold.release();
    assertThat(load.ticket(b, id))
        .contains("\"attempts\":1,")
        .endsWith("\"stale_writes_refused\":0}");
    assertThat(arena.outside().calls()).hasSize(1);
  }
}
