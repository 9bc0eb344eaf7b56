package dev.fencepost.kernel.idempotency;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How requests with an {@code Idempotency-Key} are treated. */
@ConfigMapping(prefix = "fencepost.idempotency")
interface IdempotencySettings {

  /** Whether a POST without a key is refused. */
  @WithDefault("false")
  boolean required();

  /** How long a key and its answer are kept. */
  @WithDefault("24h")
  Duration keep();

  /** How long a repeat waits for the first, if that runs in the same process. */
  @WithDefault("1s")
  Duration join();

  /** A longer answer is not stored: its request is run again when it is repeated. */
  @WithDefault("1M")
  MemorySize maxAnswer();
}
