package dev.fencepost.kernel.identity.user;

import dev.fencepost.kernel.identity.Permission;
import java.time.Instant;
import java.util.List;

/** A user as clients see it: never anything of its password. */
record UserAnswer(
    String userId, UserKind kind, List<String> permissions, Instant createdAt, Instant updatedAt) {

  static UserAnswer of(User user) {
    return new UserAnswer(
        user.userId(),
        user.kind(),
        user.permissions().stream().map(Permission::wire).sorted().toList(),
        user.createdAt(),
        user.updatedAt());
  }
}
