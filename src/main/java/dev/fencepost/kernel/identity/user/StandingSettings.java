package dev.fencepost.kernel.identity.user;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long a process may believe what it knows of a user. */
@ConfigMapping(prefix = "fencepost.identity")
interface StandingSettings {

  /** With Redis away, how old a local copy may be before requests are answered with 503. */
  @WithDefault("30s")
  Duration maxStale();

  /** How old a local copy may be while Redis answers. */
  @WithDefault("500ms")
  Duration lookEvery();

  /** How long Redis may take to answer before a local copy is used instead. */
  @WithDefault("400ms")
  Duration lookPatience();

  /** After this, what Redis holds is compared with PostgreSQL again. */
  @WithDefault("5m")
  Duration compareEvery();

  /** How long Redis keeps it, should PostgreSQL be away. */
  @WithDefault("24h")
  Duration keep();
}
