package dev.fencepost.command;

/** What {@code command/report.lua} may answer. */
public enum Reported {
  /** The command has moved on. */
  RECORDED,
  /** It said so before, or said more. */
  REPEATED,
  /** It had ended otherwise; the report stands beside its end. */
  LATE,
  NOT_FOUND,
  /** Its time has not come, or it has ended; only the clock is told so. */
  NOT_DUE
}
