package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A holder that dies while it tells people, where nobody may be told twice. */
class InDoubtIT {

  private static final Duration RESUMED_WITHIN = Duration.ofSeconds(20);

  @Test
  void a_call_that_may_have_arrived_is_not_repeated_and_waits_for_a_person() {
    try (var arena =
        Arena.with(Map.of("fencepost.notify.channels.ops.resend", "never"), "in-doubt", "a", "b")) {
      var load = new Load(arena.outside());
      var a = arena.replicas().get(0);
      var b = arena.replicas().get(1);
      load.register(b, "doubted");
      var hold = arena.outside().holdNext("NOTIFICATION");
      assertThat(load.assess(a, "doubted", 0)).isTrue();
      hold.awaitEntered();
      var id = Scenarios.ticketOf(arena, "doubted").orElseThrow().ticketId();

      a.killAndReplace();
      Patience.until(
          "b has ended " + id,
          RESUMED_WITHIN,
          () -> load.ticket(b, id).contains("\"status\":\"FAILED\""));
      hold.release();

      assertThat(load.ticket(b, id)).contains("\"channel\":\"ops\",\"state\":\"UNCERTAIN\"");
      assertThat(arena.outside().calls()).as("the call that was under way").hasSize(1);

      assertThat(load.settle(b, id, "ops", "NOTIFIED").statusCode()).isEqualTo(200);
      assertThat(load.ticket(b, id)).contains("\"channel\":\"ops\",\"state\":\"NOTIFIED\"");
      assertThat(load.settle(b, id, "ops", "FAILED").statusCode()).isEqualTo(409);
      assertThat(arena.outside().calls()).hasSize(1);
    }
  }
}
