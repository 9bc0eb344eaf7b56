package dev.fencepost.kernel.identity.user;

import static java.util.stream.Collectors.joining;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates, changes and ends users. What it answers to, all replicas have been told. */
@ApplicationScoped
public class AdministerUsers {

  private static final String TYPE = "user";

  private final UserStore users;
  private final Passwords passwords;
  private final SlowWork slowWork;
  private final AuditTrail trail;

  AdministerUsers(UserStore users, Passwords passwords, SlowWork slowWork, AuditTrail trail) {
    this.users = users;
    this.passwords = passwords;
    this.slowWork = slowWork;
    this.trail = trail;
  }

  Uni<User> find(String userId) {
    return users.find(userId).map(found -> found.orElseThrow(() -> unknown(userId)));
  }

  Uni<List<User>> list(String after, int limit) {
    return users.list(after, limit);
  }

  Uni<User> create(NewUser.Valid user, Origin origin) {
    return slowWork
        .compute(() -> passwords.hash(user.password()))
        .flatMap(hash -> users.create(user.userId(), user.kind(), hash, user.permissions()))
        .map(
            created ->
                created.orElseThrow(
                    () ->
                        new Refused(
                            ProblemType.CONFLICT, "there is a user " + user.userId() + " already")))
        .invoke(
            created -> tell("USER_CREATED", created.userId(), origin, wire(created.permissions())));
  }

  Uni<User> setPermissions(String userId, Set<Permission> permissions, Origin origin) {
    return changed(userId, users.setPermissions(userId, permissions))
        .invoke(user -> tell("PERMISSIONS_CHANGED", userId, origin, wire(permissions)));
  }

  Uni<User> setPassword(String userId, String password, Origin origin) {
    return slowWork
        .compute(() -> passwords.hash(password))
        .flatMap(hash -> changed(userId, users.setPassword(userId, hash)))
        .invoke(user -> tell("PASSWORD_CHANGED", userId, origin, Map.of()));
  }

  Uni<User> logOut(String userId, Origin origin) {
    return changed(userId, users.logOut(userId))
        .invoke(user -> tell("LOGOUT_FORCED", userId, origin, Map.of()));
  }

  Uni<User> delete(String userId, Origin origin) {
    if (origin.userId().filter(userId::equals).isPresent()) {
      throw new Refused(ProblemType.CONFLICT, "nobody can delete themselves");
    }
    return changed(userId, users.delete(userId))
        .invoke(user -> tell("USER_DELETED", userId, origin, Map.of()));
  }

  /**
   * Ends one login, or one token, until it would have run out by itself.
   *
   * @param grant a grant, or the id of a token
   */
  public Uni<Void> revoke(String userId, String grant, Instant until, Origin origin) {
    return users
        .revoke(userId, grant, until)
        .invoke(done -> tell("TOKEN_REVOKED", userId, origin, Map.of("grant_id", grant)));
  }

  private static Uni<User> changed(String userId, Uni<Optional<User>> change) {
    return change.map(user -> user.orElseThrow(() -> unknown(userId)));
  }

  private void tell(String action, String userId, Origin origin, Map<String, String> details) {
    trail.append(new AuditEvent(action, "accepted", TYPE, userId, origin, details));
  }

  private static Map<String, String> wire(Set<Permission> permissions) {
    return Map.of(
        "permissions", permissions.stream().map(Permission::wire).sorted().collect(joining(" ")));
  }

  private static Refused unknown(String userId) {
    return new Refused(ProblemType.USER_NOT_FOUND, "there is no user " + userId);
  }
}
