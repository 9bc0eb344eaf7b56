package dev.fencepost.kernel.identity.user;

import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A user to be created, as it came. */
record NewUser(
    @Nullable String userId,
    @Nullable String password,
    @Nullable String kind,
    @Nullable List<String> permissions) {

  /** A user to be created, as it may be. */
  record Valid(String userId, String password, UserKind kind, Set<Permission> permissions) {

    /** Never the password. */
    @Override
    public String toString() {
      return "new user " + userId;
    }
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "new user " + userId;
  }

  static Valid valid(@Nullable NewUser user, int minPassword) {
    if (user == null) {
      throw new Refused(ProblemType.BAD_REQUEST, "the body is empty; it must describe the user");
    }
    return new Valid(
        Identifier.require("user_id", user.userId == null ? "" : user.userId),
        password(user.password, minPassword),
        kind(user.kind),
        permissions(user.permissions));
  }

  static String password(@Nullable String password, int min) {
    if (password == null
        || password.length() < min
        || password.length() > CheckPassword.MAX_LENGTH) {
      throw Refused.field(
          "password", "must have %d to %d characters".formatted(min, CheckPassword.MAX_LENGTH));
    }
    return password;
  }

  static Set<Permission> permissions(@Nullable List<String> names) {
    if (names == null) {
      throw Refused.field("permissions", "must be a list of permissions, which may be empty");
    }
    return names.stream().map(NewUser::permission).collect(Collectors.toUnmodifiableSet());
  }

  private static Permission permission(@Nullable String name) {
    return Permission.parse(name == null ? "" : name)
        .orElseThrow(
            () ->
                Refused.field(
                    "permissions",
                    "must each be one of "
                        + Arrays.stream(Permission.values())
                            .map(Permission::wire)
                            .collect(Collectors.joining(", "))));
  }

  private static UserKind kind(@Nullable String wire) {
    return Arrays.stream(UserKind.values())
        .filter(kind -> kind.wire().equals(wire))
        .findFirst()
        .orElseThrow(() -> Refused.field("kind", "must be person, service or device"));
  }
}
