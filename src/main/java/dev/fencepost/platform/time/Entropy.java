package dev.fencepost.platform.time;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** The only door to the wall clock and to chance. Tests replace it and so own both. */
@ApplicationScoped
public class Entropy {

  private final SecureRandom random = new SecureRandom();

  public Instant now() {
    return Instant.now();
  }

  /** A monotonic reading, in nanoseconds; only differences mean anything. */
  public long nanoTime() {
    return System.nanoTime();
  }

  /** Uniform in [0, 1): for jitter, never for secrets. */
  public double fraction() {
    return ThreadLocalRandom.current().nextDouble();
  }

  /**
   * A fresh ULID in lower case: 26 Crockford characters, ordered by creation time to the
   * millisecond, with 80 random bits.
   */
  public String freshId() {
    return Ulid.of(now().toEpochMilli(), freshBytes(Ulid.SEED_BYTES));
  }

  /** Unpredictable bytes, for secrets and trace ids. */
  public byte[] freshBytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
