package dev.fencepost.platform.outgoing;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much may be under way to the outside at once. */
@ConfigMapping(prefix = "fencepost.outgoing")
interface OutgoingConfig {

  /**
   * Requests in flight of one process, per door (HTTP, TCP); one more fails at once. Four for each
   * of the 256 assessments that run at most.
   */
  @WithDefault("1024")
  int maxInFlight();

  /** Kept connections to one trusted host. Guarded targets get a fresh one per request. */
  @WithDefault("32")
  int connectionsPerHost();

  /** Requests that wait for a connection to one trusted host; one more fails at once. */
  @WithDefault("256")
  int maxWaitingPerHost();

  /** Threads that ask the system's resolver, which blocks. A dead name server holds these only. */
  @WithDefault("16")
  int lookupThreads();
}
