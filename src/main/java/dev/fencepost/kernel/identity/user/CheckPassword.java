package dev.fencepost.kernel.identity.user;

import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Checks a password. Whether the user or the password is wrong cannot be told from the answer, nor
 * from the time it takes.
 */
@ApplicationScoped
public class CheckPassword {

  /** Longer ones are not hashed at all. */
  static final int MAX_LENGTH = 256;

  private final UserStore users;
  private final Passwords passwords;
  private final SlowWork slowWork;

  CheckPassword(UserStore users, Passwords passwords, SlowWork slowWork) {
    this.users = users;
    this.passwords = passwords;
    this.slowWork = slowWork;
  }

  /** The user if the password is its own, else empty. */
  public Uni<Optional<User>> check(String userId, String password) {
    if (!Identifier.isValid(userId) || password.length() > MAX_LENGTH) {
      return slowWork
          .compute(() -> passwords.matches("", passwords.decoy()))
          .map(never -> Optional.empty());
    }
    return users
        .credentials(userId)
        .flatMap(known -> slowWork.compute(() -> judge(known, password)))
        .call(this::keepUpToDate)
        .map(judged -> judged.map(j -> j.known.user()));
  }

  /** A right password, and its hash at today's cost if that has grown. */
  private record Judged(Credentials known, Optional<String> better) {}

  private Optional<Judged> judge(Optional<Credentials> known, String password) {
    var hash = known.map(Credentials::passwordHash).orElseGet(passwords::decoy);
    var right = passwords.matches(password, hash);
    return known
        .filter(user -> right)
        .map(
            user ->
                new Judged(
                    user,
                    passwords.isOutdated(user.passwordHash())
                        ? Optional.of(passwords.hash(password))
                        : Optional.empty()));
  }

  private Uni<Void> keepUpToDate(Optional<Judged> judged) {
    return judged
        .flatMap(right -> right.better.map(hash -> users.rehash(right.known, hash)))
        .orElseGet(() -> Uni.createFrom().voidItem())
        .onFailure(Refused.class)
        .recoverWithNull();
  }
}
