package dev.fencepost.assessment;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How assessments are run and repeated. */
@ConfigMapping(prefix = "fencepost.assessment")
interface AssessmentSettings {

  /** How long a finished ticket answers for its asset without a new assessment. */
  @WithDefault("10m")
  Duration freshFor();

  /** How many holders may take a ticket up before it is FAILED. */
  @WithDefault("5")
  int maxAttempts();

  /** How many tickets one process runs at once; more wait in the agenda. */
  @WithDefault("256")
  int maxConcurrent();

  /** The first pause before a retry; doubled at every attempt, with full jitter. */
  @WithDefault("1s")
  Duration backoff();

  /** The longest pause before a retry. */
  @WithDefault("60s")
  Duration maxBackoff();

  /** How often a channel may ask to be sent to later before that counts as an attempt. */
  @WithDefault("20")
  int maxWaits();

  /** How long an ended ticket stays in Redis. */
  @WithDefault("24h")
  Duration keepEnded();

  /** How many killed holders in a row make a ticket poison. */
  @WithDefault("3")
  int poisonAfter();
}
