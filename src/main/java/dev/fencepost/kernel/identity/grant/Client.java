package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.identity.user.User;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The program that asks for tokens.
 *
 * @param id what it calls itself; empty if it does not say
 * @param proven the service user behind it, if it gave its secret
 */
record Client(String id, @Nullable User proven) {

  /** How a family remembers whom it was given to. */
  String mark() {
    return (proven == null ? "named:" : "proven:") + id;
  }

  Optional<User> user() {
    return Optional.ofNullable(proven);
  }
}
