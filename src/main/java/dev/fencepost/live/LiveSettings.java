package dev.fencepost.live;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When silence ends a session, and what guards its one stop. */
@ConfigMapping(prefix = "fencepost.live")
interface LiveSettings {

  /** How long a device may be silent; for exactly as long, it is alive. */
  @WithDefault("30s")
  Duration heartbeatTimeout();

  /** How often silent devices are looked for. */
  @WithDefault("5s")
  Duration sweepEvery();

  /** How long the lock of a session's one stop stands; nothing ever deletes it. */
  @WithDefault("60s")
  Duration stopLockTtl();
}
