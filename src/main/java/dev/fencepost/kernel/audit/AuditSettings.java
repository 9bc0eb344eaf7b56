package dev.fencepost.kernel.audit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much history waits in Redis. */
@ConfigMapping(prefix = "fencepost.audit")
public interface AuditSettings {

  /** About how many events a lane's stream keeps. */
  @WithDefault("10000")
  int backlog();
}
