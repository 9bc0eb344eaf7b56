package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.kernel.identity.grant.OAuthForm.ClientSecret;
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
        : prove(secret.get(), origin).map(user -> new Client(secret.get().id(), known(user)));
  }

  /** As the standard has it, and if that differs, as many clients send it. */
  private Uni<Optional<User>> prove(ClientSecret secret, Origin origin) {
    return logIn
        .prove(secret.id(), secret.secret(), origin)
        .flatMap(
            user ->
                user.isPresent() || secret.secret().equals(secret.asSent())
                    ? Uni.createFrom().item(user)
                    : logIn.prove(secret.id(), secret.asSent(), origin));
  }

  private static User known(Optional<User> user) {
    return user.orElseThrow(
        () -> new OAuthRefused(Code.INVALID_CLIENT, "client id or secret is wrong"));
  }
}
