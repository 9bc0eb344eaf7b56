package dev.fencepost.platform.redis;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the road to Redis is built. */
@ConfigMapping(prefix = "fencepost.redis")
interface RedisSettings {

  /** How long a command may go without an answer before its connection is given up. */
  @WithDefault("2s")
  Duration timeout();

  /** How many commands may be in flight per event loop; one more is refused. */
  @WithDefault("4096")
  int maxInFlight();

  /** The first pause before connecting again; doubled at every failure, with full jitter. */
  @WithDefault("50ms")
  Duration reconnectAfter();

  /** The longest pause before connecting again: a Redis that is back is used within 2 s. */
  @WithDefault("1s")
  Duration maxReconnectAfter();

  /** How many replicas must confirm a fact before the effect that depends on it. */
  @WithDefault("0")
  int waitReplicas();

  /** How long replicas may take to confirm. */
  @WithDefault("500ms")
  Duration waitTimeout();
}
