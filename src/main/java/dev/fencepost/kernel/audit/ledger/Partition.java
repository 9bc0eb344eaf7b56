package dev.fencepost.kernel.audit.ledger;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/** The table of one month. */
record Partition(LocalDate month, String name) {

  private static final Pattern NAME = Pattern.compile("audit_event_\\d{4}_\\d{2}");

  Partition {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of a partition: " + name);
    }
  }

  /** The first moment that is not in it. */
  Instant end() {
    return month.plusMonths(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /** Whether it may leave: so many whole months lie between it and today's. */
  boolean isOlderThan(int months, Instant now) {
    var current = now.atOffset(ZoneOffset.UTC).toLocalDate().withDayOfMonth(1);
    return month.isBefore(current.minusMonths(months));
  }
}
