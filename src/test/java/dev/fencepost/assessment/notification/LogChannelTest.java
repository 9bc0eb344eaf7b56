package dev.fencepost.assessment.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogChannelTest {

  @Test
  void high_risk_in_the_log_says_of_what_in_which_lane_under_which_token_and_trace() {
    var ticketId = "t5-01m8s8bsd2kjnk0y1kqdgmvzer";
    var alarm =
        new Alarm(
            ticketId,
            "cam-01",
            null,
            Alarm.Level.HIGH,
            List.of("known to be exploited"),
            List.of(Alarms.LOG4SHELL),
            Alarms.NOW);
    try (var lines = LogLines.of(LogChannel.class.getName())) {
      new LogChannel()
          .send(alarm, Alarms.EFFECT, false, Duration.ofSeconds(1))
          .await()
          .indefinitely();

      var line = lines.with("cam-01 is at HIGH risk");
      assertThat(line.level()).isEqualTo("WARN");
      assertThat(line.facts())
          .isEqualTo(
              Map.of(
                  "trace_id", "0af7651916cd43dd8448eb211c80319c",
                  "ticket_id", ticketId,
                  "device_id", "cam-01",
                  "lane", "5",
                  "fencing_token", Alarms.EFFECT.token().toString()));
    }
  }
}
