package dev.fencepost.kernel.identity.user;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What stands behind a user. */
public enum UserKind {
  PERSON,
  /** A client of OAuth: its id and secret are user id and password. */
  SERVICE,
  /** A device speaks for itself only; its user id is its device id. */
  DEVICE;

  /** As it is written in requests and answers. */
  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  static UserKind read(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }
}
