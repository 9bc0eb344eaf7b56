package dev.fencepost.kernel.identity.user;

import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.lifecycle.PrivateFile;
import dev.fencepost.platform.lifecycle.StartUp;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The user {@code admin} of a service that never had one. Any number of replicas may start at once;
 * PostgreSQL lets one of them create it.
 */
@ApplicationScoped
class FirstAdmin {

  private static final Logger LOG = Logger.getLogger(FirstAdmin.class);
  private static final String NAME = "admin";
  private static final int PASSWORD_BYTES = 18;

  private final UserStore users;
  private final Passwords passwords;
  private final SlowWork slowWork;
  private final Entropy entropy;
  private final Optional<String> given;
  private final boolean embedded;
  private final Path file;

  FirstAdmin(
      UserStore users,
      Passwords passwords,
      SlowWork slowWork,
      Entropy entropy,
      @ConfigProperty(name = "fencepost.admin.password") Optional<String> given,
      @ConfigProperty(name = "fencepost.embedded", defaultValue = "false") boolean embedded,
      @ConfigProperty(name = "fencepost.data-dir") Path dataDir) {
    this.users = users;
    this.passwords = passwords;
    this.slowWork = slowWork;
    this.entropy = entropy;
    this.given = given;
    this.embedded = embedded;
    this.file = dataDir.resolve("admin-password");
  }

  void create(@Observes StartupEvent start) {
    StartUp.waitFor("the store of users", createIfNone());
  }

  private Uni<Void> createIfNone() {
    return users.list("", 1).flatMap(some -> some.isEmpty() ? create() : nothing());
  }

  private Uni<Void> create() {
    var password = given.or(this::ownPassword);
    if (password.isEmpty()) {
      LOG.error(
          "there are no users, and FENCEPOST_ADMIN_PASSWORD is not set: nobody can log in, every"
              + " request is answered with 401. Set it and start again.");
      return nothing();
    }
    return slowWork
        .compute(() -> passwords.hash(password.get()))
        .flatMap(hash -> users.createFirst(NAME, hash, EnumSet.allOf(Permission.class)))
        .invoke(this::tell)
        .replaceWithVoid();
  }

  /**
   * Written before the user is made: a crash in between leaves a file that the next start reads.
   */
  private Optional<String> ownPassword() {
    if (!embedded) {
      return Optional.empty();
    }
    if (!Files.exists(file)) {
      var password =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(entropy.freshBytes(PASSWORD_BYTES));
      PrivateFile.write(file, password);
    }
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private void tell(boolean created) {
    if (created) {
      LOG.infof(
          "the first user is %s; its password is %s",
          NAME, given.isPresent() ? "the one of FENCEPOST_ADMIN_PASSWORD" : "in " + file);
    }
  }

  private static Uni<Void> nothing() {
    return Uni.createFrom().voidItem();
  }
}
