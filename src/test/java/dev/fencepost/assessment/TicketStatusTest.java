package dev.fencepost.assessment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class TicketStatusTest {

  @Test
  void the_table_allows_these_edges_and_no_others() {
    assertThat(TicketStatus.EDGES)
        .isEqualTo(
            "|INIT>ASSET_ONLINE|INIT>ASSET_OFFLINE|INIT>FAILED"
                + "|ASSET_ONLINE>VULN_CHECK_DONE|ASSET_ONLINE>FAILED"
                + "|ASSET_OFFLINE>FINISHED|ASSET_OFFLINE>FAILED"
                + "|VULN_CHECK_DONE>HIGH_RISK_FOUND|VULN_CHECK_DONE>NOTIFYING"
                + "|VULN_CHECK_DONE>FINISHED|VULN_CHECK_DONE>FAILED"
                + "|HIGH_RISK_FOUND>NOTIFYING|HIGH_RISK_FOUND>FAILED"
                + "|NOTIFYING>NOTIFIED|NOTIFYING>FAILED"
                + "|NOTIFIED>FINISHED|NOTIFIED>FAILED|");
  }

  @Test
  void only_finished_and_failed_are_terminal() {
    assertThat(Arrays.stream(TicketStatus.values()).filter(TicketStatus::isTerminal))
        .containsExactly(TicketStatus.FINISHED, TicketStatus.FAILED);
  }

  @Test
  void every_status_can_reach_an_end() {
    for (var start : TicketStatus.values()) {
      var seen = EnumSet.of(start);
      var grew = true;
      while (grew) {
        var before = seen.size();
        EnumSet.copyOf(seen).forEach(status -> seen.addAll(status.next()));
        grew = seen.size() > before;
      }
      assertThat(seen).as("reachable from %s", start).anyMatch(TicketStatus::isTerminal);
    }
  }
}
