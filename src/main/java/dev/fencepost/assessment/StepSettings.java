package dev.fencepost.assessment;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;

/** How long each step may take. */
@ConfigMapping(prefix = "fencepost.step")
interface StepSettings {

  @WithDefault("3s")
  @WithName("online.timeout")
  Duration online();

  @WithDefault("10s")
  @WithName("vulnerability.timeout")
  Duration vulnerability();

  @WithDefault("5s")
  @WithName("threat.timeout")
  Duration threat();

  @WithDefault("5s")
  @WithName("notify.timeout")
  Duration notification();
}
