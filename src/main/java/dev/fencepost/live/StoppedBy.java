package dev.fencepost.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What made a session stop. */
public enum StoppedBy {
  @JsonProperty("user")
  USER,
  @JsonProperty("heartbeat_timeout")
  HEARTBEAT_TIMEOUT,
  /** Another session was started on its device. */
  @JsonProperty("superseded")
  SUPERSEDED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static StoppedBy of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
