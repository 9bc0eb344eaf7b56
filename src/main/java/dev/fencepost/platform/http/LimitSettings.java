package dev.fencepost.platform.http;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How much one process takes on, from one caller and from all. */
@ConfigMapping(prefix = "fencepost.limits")
interface LimitSettings {

  /** What a caller may ask for per second over a long time; 0: any amount. */
  @WithDefault("500")
  int requestsPerSecond();

  /** What a caller may ask for at once, having been quiet. */
  @WithDefault("1000")
  int burst();

  /** How many callers are told apart; those beyond share one budget. */
  @WithDefault("50000")
  int callers();

  /** How many requests may be worked on at once; one more is refused. */
  @WithDefault("512")
  int inFlight();

  /** How many bodies of one address may be on their way at once. */
  @WithDefault("64")
  int receiving();

  /** How long a body may take to arrive. */
  @WithDefault("10s")
  Duration bodyTimeout();

  /** How many requests may be open that mostly wait: streams, and those that prefer to. */
  @WithDefault("10000")
  int waiting();
}
