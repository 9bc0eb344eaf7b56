package dev.fencepost.kernel.identity.grant;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long a login lasts without its password. */
@ConfigMapping(prefix = "fencepost.identity.refresh")
interface GrantSettings {

  /** A refresh token that is not used for so long is good no more. */
  @WithDefault("720h")
  Duration lifetime();

  /** A refresh that is repeated within this time gets the answer of the first. */
  @WithDefault("10s")
  Duration repeatWithin();
}
