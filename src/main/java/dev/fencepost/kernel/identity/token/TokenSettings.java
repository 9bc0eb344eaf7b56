package dev.fencepost.kernel.identity.token;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** What our access tokens say, and how strictly they are read. */
@ConfigMapping(prefix = "fencepost.identity.token")
public interface TokenSettings {

  /** What {@link #issuer()} is unless an operator says so; it leads nowhere in particular. */
  String DEFAULT_ISSUER = "http://localhost:8080";

  /** {@code iss}: the same on every replica. Clients look for our metadata below it. */
  @WithDefault(DEFAULT_ISSUER)
  String issuer();

  /** {@code aud}. */
  @WithDefault("fencepost")
  String audience();

  /** How long an access token is good for. */
  @WithDefault("10m")
  Duration lifetime();

  /** How far clocks of replicas may be apart. */
  @WithDefault("5s")
  Duration leeway();

  /** A longer token is refused unread. Ours have about 700. */
  @WithDefault("4096")
  int maxLength();
}
