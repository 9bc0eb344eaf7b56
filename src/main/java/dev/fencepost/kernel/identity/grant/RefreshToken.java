package dev.fencepost.kernel.identity.grant;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A refresh token: {@code <family>.<secret>}. The family says where to look; the secret is good for
 * one refresh, and is kept nowhere but at the client.
 */
record RefreshToken(String family, String secret) {

  static final int SECRET_BYTES = 32;

  /** How many random bytes a seal needs. */
  static final int SEAL_BYTES = 12;

  private static final Pattern FORM =
      Pattern.compile("(f\\d{1,5}-[0-9a-z]{26})\\.([A-Za-z0-9_-]{43})");
  private static final int TAG_BITS = 128;
  private static final int GRANT_BYTES = 16;

  static RefreshToken of(String family, byte[] secret) {
    return new RefreshToken(family, text(secret));
  }

  /** Reads a token; empty if it is none of ours. */
  static Optional<RefreshToken> parse(String text) {
    var parts = FORM.matcher(text);
    return parts.matches()
        ? Optional.of(new RefreshToken(parts.group(1), parts.group(2)))
        : Optional.empty();
  }

  String text() {
    return family + "." + secret;
  }

  /** What the store knows it by. */
  String hash() {
    return text(sha256("token:" + secret));
  }

  /**
   * The family's name in access tokens. It does not lead back to the family: who has seen an access
   * token only cannot present something that looks like a stolen refresh token.
   */
  String grant() {
    return "g" + text(Arrays.copyOf(sha256("grant:" + family), GRANT_BYTES));
  }

  /** Encrypts an answer so that only who holds this token can read it. */
  String seal(String answer, byte[] nonce) {
    var sealed = cipher(Cipher.ENCRYPT_MODE, nonce, answer.getBytes(US_ASCII));
    return text(nonce) + "." + text(sealed);
  }

  /** Reads what {@link #seal} made. */
  String unseal(String sealed) {
    var dot = sealed.indexOf('.');
    var decoder = Base64.getUrlDecoder();
    var nonce = decoder.decode(sealed.substring(0, dot));
    return new String(
        cipher(Cipher.DECRYPT_MODE, nonce, decoder.decode(sealed.substring(dot + 1))), US_ASCII);
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "refresh token of " + grant();
  }

  private byte[] cipher(int mode, byte[] nonce, byte[] text) {
    try {
      var cipher = Cipher.getInstance("AES/GCM/NoPadding");
      var key = new SecretKeySpec(sha256("answer:" + secret), "AES");
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("an answer of " + grant() + " cannot be sealed or read", e);
    }
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JVM ships SHA-256", e);
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
