package dev.fencepost.platform.time;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** The only door to the wall clock and to chance. Tests replace it and so own both. */
@ApplicationScoped
public class Entropy {

  private static final char[] CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final int ULID_LENGTH = 26;
  private static final int TIME_LENGTH = 10;
  private static final int BITS_PER_CHARACTER = 5;
  private static final int CHARACTER_MASK = 31;

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
    var id = new char[ULID_LENGTH];
    var millis = now().toEpochMilli();
    for (var i = TIME_LENGTH - 1; i >= 0; i--) {
      id[i] = CROCKFORD[(int) (millis & CHARACTER_MASK)];
      millis >>>= BITS_PER_CHARACTER;
    }
    var bytes = new byte[ULID_LENGTH - TIME_LENGTH];
    random.nextBytes(bytes);
    for (var i = TIME_LENGTH; i < ULID_LENGTH; i++) {
      id[i] = CROCKFORD[bytes[i - TIME_LENGTH] & CHARACTER_MASK];
    }
    return new String(id);
  }

  /** Unpredictable bytes, for secrets and trace ids. */
  public byte[] freshBytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
