package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** The signature of a checkpoint: RS256 as JWS has it, over the payload byte for byte. */
final class CheckpointSignature {

  static final String ALGORITHM = "RS256";
  private static final String JAVA_ALGORITHM = "SHA256withRSA";

  private CheckpointSignature() {}

  /**
   * Whether a checkpoint was signed by a given key.
   *
   * @param publicKey base64 of its SubjectPublicKeyInfo
   */
  static boolean isBy(Checkpoint checkpoint, String publicKey) {
    try {
      var key =
          KeyFactory.getInstance("RSA")
              .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(publicKey)));
      var signature = Signature.getInstance(JAVA_ALGORITHM);
      signature.initVerify(key);
      signature.update(checkpoint.payload().getBytes(UTF_8));
      return checkpoint.algorithm().equals(ALGORITHM)
          && signature.verify(Base64.getUrlDecoder().decode(checkpoint.signature()));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }
}
