package dev.fencepost.kernel.idempotency;

import java.util.HexFormat;

/**
 * One caller's use of one key, and the request it stands for.
 *
 * @param caller who asks; empty while nobody is known
 * @param fingerprint of method, path, query, content type and body. The key is part of it, which
 *     Redis does not hold, so that nobody who reads Redis can try bodies until one fits.
 */
record Intention(String caller, IdempotencyKey key, String fingerprint) {

  static Intention of(
      String caller,
      IdempotencyKey key,
      String method,
      String path,
      String query,
      String contentType,
      byte[] body) {
    var digest = Digest.of(caller, key.value(), method, path, query, contentType).and(body);
    return new Intention(caller, key, HexFormat.of().formatHex(digest.bytes()));
  }
}
