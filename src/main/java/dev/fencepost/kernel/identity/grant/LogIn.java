package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.user.CheckPassword;
import dev.fencepost.kernel.identity.user.User;
import dev.fencepost.platform.http.Identifier;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Proves a user by its password, and makes guessing slow. */
@ApplicationScoped
class LogIn {

  private final CheckPassword checkPassword;
  private final BackoffStore backoff;
  private final AuditTrail trail;

  LogIn(CheckPassword checkPassword, BackoffStore backoff, AuditTrail trail) {
    this.checkPassword = checkPassword;
    this.backoff = backoff;
    this.trail = trail;
  }

  /** The user; empty if user or password is wrong. Fails when too many were wrong of late. */
  Uni<Optional<User>> prove(String userId, String password, Origin origin) {
    var account = nameOf(userId);
    var address = origin.ipAddress().orElse("unknown");
    return backoff
        .wait(account, address)
        .invoke(wait -> refuseLocked(wait, account, origin))
        .flatMap(free -> checkPassword.check(userId, password))
        .call(user -> user.isPresent() ? backoff.succeeded(account) : failed(account, origin));
  }

  private Uni<Void> failed(String account, Origin origin) {
    tell("bad_credentials", account, origin);
    return backoff.failed(account, origin.ipAddress().orElse("unknown"));
  }

  private void refuseLocked(Duration wait, String account, Origin origin) {
    if (!wait.isZero()) {
      tell("locked", account, origin);
      throw new OAuthRefused(
          OAuthRefused.Code.SLOW_DOWN, "too many logins failed; wait before the next", wait);
    }
  }

  private void tell(String outcome, String account, Origin origin) {
    trail.append(new AuditEvent("LOGIN_FAILED", outcome, "user", account, origin, Map.of()));
  }

  /** What is no user id may well be a password in the wrong field: it is kept nowhere. */
  private static String nameOf(String userId) {
    return Identifier.isValid(userId) ? userId : "(no user id)";
  }
}
