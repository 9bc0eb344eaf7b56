package dev.fencepost.assessment.threat;

import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/** The defaults, with what a test wants to differ; pauses are short, for nothing is waited for. */
record FeedSettings(Optional<String> location, long maxBytes, Duration refreshEvery)
    implements KevConfig, EpssConfig {

  static final Duration SIX_HOURS = Duration.ofHours(6);
  static final long MANY_BYTES = 64 << 20;

  static FeedSettings at(String location) {
    return new FeedSettings(Optional.of(location), MANY_BYTES, SIX_HOURS);
  }

  static FeedSettings sample() {
    return new FeedSettings(Optional.empty(), MANY_BYTES, SIX_HOURS);
  }

  @Override
  public MemorySize maxSize() {
    return new MemorySize(BigInteger.valueOf(maxBytes));
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(30);
  }

  @Override
  public Duration backoff() {
    return Duration.ofMillis(1);
  }

  @Override
  public Duration maxBackoff() {
    return Duration.ofMillis(2);
  }
}
