package dev.fencepost.assessment;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** How far an assessment has durably come. {@link #next()} is the whole state machine. */
public enum TicketStatus {
  INIT,
  ASSET_ONLINE,
  ASSET_OFFLINE,
  VULN_CHECK_DONE,
  HIGH_RISK_FOUND,
  NOTIFYING,
  NOTIFIED,
  FINISHED,
  FAILED;

  /** The table as scripts read it: {@code |A>B|B>C|}. */
  static final String EDGES =
      Arrays.stream(values())
          .flatMap(from -> from.next().stream().map(to -> from + ">" + to))
          .collect(joining("|", "|", "|"));

  Set<TicketStatus> next() {
    return switch (this) {
      case INIT -> EnumSet.of(ASSET_ONLINE, ASSET_OFFLINE, FAILED);
      case ASSET_ONLINE -> EnumSet.of(VULN_CHECK_DONE, FAILED);
      case ASSET_OFFLINE -> EnumSet.of(FINISHED, FAILED);
      case VULN_CHECK_DONE -> EnumSet.of(HIGH_RISK_FOUND, NOTIFYING, FINISHED, FAILED);
      case HIGH_RISK_FOUND -> EnumSet.of(NOTIFYING, FAILED);
      case NOTIFYING -> EnumSet.of(NOTIFIED, FAILED);
      case NOTIFIED -> EnumSet.of(FINISHED, FAILED);
      case FINISHED, FAILED -> EnumSet.noneOf(TicketStatus.class);
    };
  }

  public boolean isTerminal() {
    return next().isEmpty();
  }
}
