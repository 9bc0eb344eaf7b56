package dev.fencepost.kernel.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 over parts, each with its length before it: no two lists of parts read the same. */
final class Digest {

  private final MessageDigest sha256;

  private Digest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM ships SHA-256", e);
    }
  }

  static Digest of(String... parts) {
    var digest = new Digest();
    for (var part : parts) {
      digest.and(part.getBytes(UTF_8));
    }
    return digest;
  }

  Digest and(byte[] part) {
    sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    sha256.update(part);
    return this;
  }

  /** The 32 bytes; the digest is spent. */
  byte[] bytes() {
    return sha256.digest();
  }
}
