package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.grant.OAuthRefused.Code;
import dev.fencepost.kernel.identity.user.CheckPassword;
import dev.fencepost.kernel.identity.user.User;
import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Proves a user by its password, and makes guessing slow. */
@ApplicationScoped
class LogIn {

  /** When a login whose turn did not come may try again. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final CheckPassword checkPassword;
  private final AwaitTurn awaitTurn;
  private final BackoffStore backoff;
  private final BackoffSettings settings;
  private final AuditTrail trail;

  LogIn(
      CheckPassword checkPassword,
      AwaitTurn awaitTurn,
      BackoffStore backoff,
      BackoffSettings settings,
      AuditTrail trail) {
    this.checkPassword = checkPassword;
    this.awaitTurn = awaitTurn;
    this.backoff = backoff;
    this.settings = settings;
    this.trail = trail;
  }

  /**
   * The user; empty if user or password is wrong. Fails when too many were wrong of late.
   *
   * @param readings what the password may be that was sent, the likelier first
   */
  Uni<Optional<User>> prove(String userId, List<String> readings, Origin origin) {
    var account = nameOf(userId);
    var address = origin.ipAddress().orElse("unknown");
    return awaitTurn
        .take(account, address)
        .invoke(turn -> refuseUnlessTaken(turn, account, origin))
        .flatMap(
            taken ->
                judge(userId, readings)
                    .invoke(user -> tellIfWrong(user, account, origin))
                    .onTermination()
                    .call(
                        (user, failure, cancelled) ->
                            failure == null && !cancelled
                                ? backoff.settle(account, address, outcome(user, readings.size()))
                                : giveBack(account, address)));
  }

  /** An answer that comes too late is kept to ourselves: its try may be somebody else's by then. */
  private Uni<Optional<User>> judge(String userId, List<String> readings) {
    return anyOf(userId, readings)
        .ifNoItem()
        .after(settings.judgedWithin())
        .failWith(() -> new Refused(ProblemType.OVERLOADED, "logins take too long now"));
  }

  private Uni<Optional<User>> anyOf(String userId, List<String> readings) {
    return checkPassword
        .check(userId, readings.get(0))
        .flatMap(
            user ->
                user.isPresent() || readings.size() == 1
                    ? Uni.createFrom().item(user)
                    : anyOf(userId, readings.subList(1, readings.size())));
  }

  private static Outcome outcome(Optional<User> user, int readings) {
    return user.isPresent() ? Outcome.RIGHT : Outcome.wrong(readings);
  }

  /** Nobody could judge it. If Redis does not hear of it either, it gives the try up by itself. */
  private Uni<Void> giveBack(String account, String address) {
    return backoff
        .settle(account, address, Outcome.UNDECIDED)
        .onFailure(RedisUnavailable.class)
        .recoverWithNull();
  }

  private void refuseUnlessTaken(Turn turn, String account, Origin origin) {
    switch (turn.answer()) {
      case TAKEN -> {}
      case LOCKED -> {
        tell("locked", account, origin);
        throw slowDown("too many logins failed; wait before the next", turn.pause());
      }
      case BUSY -> {
        tell("busy", account, origin);
        throw slowDown("too many logins are in progress; wait before the next", SOON);
      }
    }
  }

  private static OAuthRefused slowDown(String why, Duration wait) {
    return new OAuthRefused(Code.SLOW_DOWN, why, wait);
  }

  private void tellIfWrong(Optional<User> user, String account, Origin origin) {
    if (user.isEmpty()) {
      tell("bad_credentials", account, origin);
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
