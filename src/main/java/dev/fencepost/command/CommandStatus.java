package dev.fencepost.command;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** How far a command has come. {@link #next()} is the whole state machine. */
public enum CommandStatus {
  /** Made, and sent to nobody yet. */
  @JsonProperty("pending")
  PENDING,
  /** Handed to a channel at least once. */
  @JsonProperty("sent")
  SENT,
  /** The device has it. */
  @JsonProperty("acked")
  ACKED,
  /** The device did it. */
  @JsonProperty("applied")
  APPLIED,
  /** The device said no. */
  @JsonProperty("failed")
  FAILED,
  /** Nobody knows: it was never confirmed. */
  @JsonProperty("expired")
  EXPIRED;

  Set<CommandStatus> next() {
    return switch (this) {
      case PENDING -> EnumSet.of(SENT, ACKED, APPLIED, FAILED, EXPIRED);
      case SENT -> EnumSet.of(ACKED, APPLIED, FAILED, EXPIRED);
      case ACKED -> EnumSet.of(APPLIED, FAILED, EXPIRED);
      case APPLIED, FAILED, EXPIRED -> EnumSet.noneOf(CommandStatus.class);
    };
  }

  public boolean isTerminal() {
    return next().isEmpty();
  }

  /** As JSON, Redis and metrics spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static CommandStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
