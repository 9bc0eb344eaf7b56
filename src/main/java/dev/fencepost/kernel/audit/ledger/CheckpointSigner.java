package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** One RSA key that signs checkpoints, RS256 as JWS has it. */
final class CheckpointSigner {

  static final String ALGORITHM = "RS256";
  private static final String JAVA_ALGORITHM = "SHA256withRSA";

  private final String kid;
  private final PrivateKey key;
  private final PublicKey publicKey;

  private CheckpointSigner(String kid, PrivateKey key, PublicKey publicKey) {
    this.kid = kid;
    this.key = key;
    this.publicKey = publicKey;
  }

  /** Reads a PKCS#8 PEM. */
  static CheckpointSigner of(String kid, String pem) {
    var base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    try {
      var factory = KeyFactory.getInstance("RSA");
      var key =
          factory.generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
      if (!(key instanceof RSAPrivateCrtKey rsa)) {
        throw new IllegalStateException("the key " + kid + " is no RSA key");
      }
      var publicKey =
          factory.generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
      return new CheckpointSigner(kid, key, publicKey);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // Without its cause, which might show some of it.
      throw new IllegalStateException("the key " + kid + " is no PKCS#8 PEM of an RSA key");
    }
  }

  String kid() {
    return kid;
  }

  String publicKey() {
    return Base64.getEncoder().encodeToString(publicKey.getEncoded());
  }

  String sign(String payload) {
    try {
      var signature = Signature.getInstance(JAVA_ALGORITHM);
      signature.initSign(key);
      signature.update(payload.getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign with the key " + kid, e);
    }
  }

  /** Whether a checkpoint was signed by a given key. */
  static boolean isSignedBy(Checkpoint checkpoint, String publicKey) {
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
