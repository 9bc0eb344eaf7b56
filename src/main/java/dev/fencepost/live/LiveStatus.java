package dev.fencepost.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** How far a session has come. {@link #next()} is the whole state machine. */
public enum LiveStatus {
  @JsonProperty("live")
  LIVE,
  /** Its stop command is made; its device has not answered yet. */
  @JsonProperty("stopping")
  STOPPING,
  /** Its device has answered, or the command was given up. */
  @JsonProperty("stopped")
  STOPPED;

  Set<LiveStatus> next() {
    return switch (this) {
      case LIVE -> EnumSet.of(STOPPING);
      case STOPPING -> EnumSet.of(STOPPED);
      case STOPPED -> EnumSet.noneOf(LiveStatus.class);
    };
  }

  /** As JSON and Redis spell it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static LiveStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
