package dev.fencepost.kernel.identity;

import java.util.Arrays;
import java.util.Optional;

/** What somebody may be allowed to do. The names are API. */
public enum Permission {
  ASSETS_READ("assets:read"),
  ASSETS_WRITE("assets:write"),
  ASSESSMENTS_RUN("assessments:run"),
  TICKETS_READ("tickets:read"),
  TICKETS_MANAGE("tickets:manage"),
  LIVE_CONTROL("live:control"),
  /** Only on the device that equals the caller. */
  DEVICE_SELF("device:self"),
  AUDIT_READ("audit:read"),
  IDENTITY_MANAGE("identity:manage");

  private final String wire;

  Permission(String wire) {
    this.wire = wire;
  }

  /** As it is written in requests and answers. */
  public String wire() {
    return wire;
  }

  /** The permission of that name; empty if there is none. */
  public static Optional<Permission> parse(String wire) {
    return Arrays.stream(values()).filter(known -> known.wire.equals(wire)).findFirst();
  }
}
