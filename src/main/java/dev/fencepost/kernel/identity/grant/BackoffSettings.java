package dev.fencepost.kernel.identity.grant;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How failed logins slow down the next. */
@ConfigMapping(prefix = "fencepost.identity.backoff")
interface BackoffSettings {

  /** Failures of one account that cost nothing. */
  @WithDefault("5")
  int freePerAccount();

  /** Failures from one address that cost nothing; many people may share one. */
  @WithDefault("100")
  int freePerAddress();

  /** The wait after the first failure beyond; doubled at every further one. */
  @WithDefault("1s")
  Duration first();

  @WithDefault("60s")
  Duration longest();

  /** Without a failure for so long, all is forgotten. */
  @WithDefault("15m")
  Duration forgetAfter();

  /** How long a login waits while as many of its account or address are judged as may fail. */
  @WithDefault("5s")
  Duration waitForTurn();

  /** How long it may take to judge a login; later, no answer is given. */
  @WithDefault("15s")
  Duration judgedWithin();
}
