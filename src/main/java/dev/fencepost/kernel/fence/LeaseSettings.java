package dev.fencepost.kernel.fence;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How long rights to work last. */
@ConfigMapping(prefix = "fencepost.lease")
public interface LeaseSettings {

  /** How long a lease lasts unless it is renewed: how long a dead holder blocks its asset. */
  @WithDefault("15s")
  Duration ttl();

  /** How often leases are renewed; a third of the ttl unless set. */
  Optional<Duration> renewEvery();

  /** After this long, a holder that has not ended its work is taken for hung. */
  @WithDefault("10m")
  Duration maxHold();

  /** The period of renewal in force. */
  default Duration tick() {
    return renewEvery().orElseGet(() -> ttl().dividedBy(3));
  }
}
