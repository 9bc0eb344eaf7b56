package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A process that is asked to end while a ticket runs in it, and while requests are in flight. */
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
    var id = Scenarios.ticketOf(arena, "drained").orElseThrow().ticketId();

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
    assertThat(arena.outside().calls()).filteredOn(call -> call.ticketId().equals(id)).hasSize(1);
  }

  @Test
  void from_the_first_moment_of_a_stop_nothing_new_is_taken_though_a_request_is_in_flight()
      throws Exception {
    var b = arena.replicas().get(1);
    var c = arena.add("c");
    load.register(c, "waited-for");
    load.register(c, "too-late");
    var hold = arena.outside().holdNext("VULNERABILITY_QUERY");
    try (var slow = new HalfSentRequest(c)) {
      var waiting = CompletableFuture.supplyAsync(() -> load.answer(c, "waited-for", 30));
      hold.awaitEntered();

      c.askToEnd();
      Patience.until("readiness is down", SOON, () -> c.get("/q/health/ready").statusCode() == 503);

      var refused = load.answer(c, "too-late", 0);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("urn:fencepost:problem:stopping");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      var unfinished = waiting.get(SOON.toSeconds(), TimeUnit.SECONDS);
      assertThat(unfinished.statusCode()).as("who waits is told where to look").isEqualTo(202);
      assertThat(c.get("/v1/assets/too-late").statusCode()).as("looking is no work").isEqualTo(200);
      slow.assertUnanswered();
    }
    c.awaitEnd(SOON);
    hold.release();
    Patience.until(
        "b has finished what c handed over",
        SOON,
        () -> load.known(b, "waited-for").contains("\"status\":\"FINISHED\""));
    assertThat(arena.history().tickets().values())
        .extracting(SeenTicket::assetId)
        .doesNotContain("too-late");
  }
}
