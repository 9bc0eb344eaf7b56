package dev.fencepost.kernel.fence;

/**
 * The number of the newest right to write about one asset. It rises strictly, is derived from Redis
 * TIME in microseconds, and stays below 2^53 because Lua numbers are doubles.
 */
public record FencingToken(long value) {

  private static final long LARGEST_EXACT = (1L << 53) - 1;

  public FencingToken {
    if (value < 1 || value > LARGEST_EXACT) {
      throw new IllegalArgumentException("a fencing token lies in [1, 2^53), but was " + value);
    }
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
