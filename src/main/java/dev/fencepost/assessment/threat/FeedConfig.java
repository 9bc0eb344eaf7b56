package dev.fencepost.assessment.threat;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** What both feeds are told. */
interface FeedConfig {

  /** A file, or an http(s) URL; the bundled sample if absent. */
  Optional<String> location();

  @WithDefault("6h")
  Duration refreshEvery();

  /** Of the unpacked text. Today's feeds have 2 and 12 MB; more than this is no feed. */
  @WithDefault("64M")
  MemorySize maxSize();

  /** For one download, connecting included. */
  @WithDefault("30s")
  Duration timeout();

  /** The first pause after a failed refresh; it doubles up to {@link #maxBackoff}. */
  @WithDefault("5s")
  Duration backoff();

  @WithDefault("5m")
  Duration maxBackoff();
}
