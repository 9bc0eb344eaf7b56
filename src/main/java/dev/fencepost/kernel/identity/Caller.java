package dev.fencepost.kernel.identity;

import java.util.Set;

/**
 * Who asks, once it is proven.
 *
 * @param userId the user, service or device
 * @param permissions what it may do now
 */
public record Caller(String userId, Set<Permission> permissions) {

  public Caller {
    permissions = Set.copyOf(permissions);
  }

  /** Whether it has this permission. */
  public boolean may(Permission permission) {
    return permissions.contains(permission);
  }

  /** Whether it may speak for a device: as its operator, or as the device itself. */
  public boolean maySpeakFor(String deviceId) {
    return may(Permission.LIVE_CONTROL) || (may(Permission.DEVICE_SELF) && userId.equals(deviceId));
  }
}
