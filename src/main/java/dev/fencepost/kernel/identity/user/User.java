package dev.fencepost.kernel.identity.user;

import dev.fencepost.kernel.identity.Permission;
import java.time.Instant;
import java.util.Set;

/** Somebody who may log in. */
public record User(
    String userId,
    UserKind kind,
    Set<Permission> permissions,
    long tokenVersion,
    long permissionVersion,
    Instant createdAt,
    Instant updatedAt) {

  public User {
    permissions = Set.copyOf(permissions);
  }
}
