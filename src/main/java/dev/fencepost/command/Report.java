package dev.fencepost.command;

import java.util.Locale;

/** What becomes of a command: what its device says, or what the clock says. */
public enum Report {
  ACKED,
  APPLIED,
  FAILED,
  EXPIRED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
