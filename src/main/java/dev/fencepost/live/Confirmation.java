package dev.fencepost.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What is known of a stopped session's device. */
public enum Confirmation {
  /** It said that it stopped. */
  @JsonProperty("applied")
  APPLIED,
  /** It said that it could not, or said nothing. */
  @JsonProperty("unconfirmed")
  UNCONFIRMED;

  static Confirmation of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
