package dev.fencepost.kernel.identity.user;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/**
 * What a password costs to check. The defaults are the first of OWASP's choices for Argon2id; when
 * they grow, each password is hashed anew at its next login.
 */
@ConfigMapping(prefix = "fencepost.identity.password")
interface PasswordSettings {

  /** Memory of one hash, in KiB. */
  @WithDefault("19456")
  int memoryKib();

  @WithDefault("2")
  int iterations();

  @WithDefault("1")
  int parallelism();

  /** Shorter passwords are not taken. */
  @WithDefault("8")
  int minLength();

  /** Threads that hash and sign; each may use {@link #memoryKib()} at once. */
  @WithDefault("2")
  int threads();

  /** How many may wait for these threads; one more is told to come back later. */
  @WithDefault("128")
  int maxWaiting();
}
