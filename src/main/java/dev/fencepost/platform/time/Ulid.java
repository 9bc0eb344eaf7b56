package dev.fencepost.platform.time;

/**
 * The form of our ids: a ULID in lower case, 26 Crockford characters, ordered by time to the
 * millisecond.
 */
public final class Ulid {

  /** How many bytes of randomness, or of a digest, one id takes; five bits of each. */
  public static final int SEED_BYTES = 16;

  private static final char[] CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final int TIME_LENGTH = 10;
  private static final int BITS_PER_CHARACTER = 5;
  private static final int CHARACTER_MASK = 31;

  private Ulid() {}

  /**
   * Writes an id.
   *
   * @param millis since 1970
   * @param seed at least {@link #SEED_BYTES} bytes; the same seed at the same time is the same id
   */
  public static String of(long millis, byte[] seed) {
    var id = new char[TIME_LENGTH + SEED_BYTES];
    var rest = millis;
    for (var i = TIME_LENGTH - 1; i >= 0; i--) {
      id[i] = CROCKFORD[(int) (rest & CHARACTER_MASK)];
      rest >>>= BITS_PER_CHARACTER;
    }
    for (var i = 0; i < SEED_BYTES; i++) {
      id[TIME_LENGTH + i] = CROCKFORD[seed[i] & CHARACTER_MASK];
    }
    return new String(id);
  }
}
