package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.grant.OAuthRefused.Code;
import dev.fencepost.kernel.identity.user.User;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out which client asks. One that gives a secret must give the right one. */
@ApplicationScoped
class ProveClient {

  private final LogIn logIn;

  ProveClient(LogIn logIn) {
    this.logIn = logIn;
  }

  /** The client; fails with {@code invalid_client} if its secret is wrong. */
  Uni<Client> prove(OAuthForm form, @Nullable String authorization, Origin origin) {
    var secret = form.clientSecret(authorization);
    return secret.isEmpty()
        ? Uni.createFrom().item(new Client(form.find("client_id").orElse(""), null))
        : logIn
            .prove(secret.get().id(), secret.get().readings(), origin)
            .map(user -> new Client(secret.get().id(), known(user)));
  }

  private static User known(Optional<User> user) {
    return user.orElseThrow(
        () -> new OAuthRefused(Code.INVALID_CLIENT, "client id or secret is wrong"));
  }
}
