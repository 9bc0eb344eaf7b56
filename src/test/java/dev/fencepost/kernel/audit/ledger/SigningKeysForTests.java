package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** A folder with one key, made on the spot. */
final class SigningKeysForTests {

  private static final String KID = "k1";

  private final Path folder;
  private final KeyPair key;

  SigningKeysForTests(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      key = generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    Files.writeString(
        folder.resolve(KID + ".pem"),
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(key.getPrivate().getEncoded())));
  }

  Path folder() {
    return folder;
  }

  /** A checkpoint as a line of a file. */
  String signedLine(Head head) {
    return line(
        1,
        Checkpoint.payload(
            1, Instant.parse("2026-11-30T00:00:00Z"), Checkpoint.NO_PREVIOUS, List.of(head)));
  }

  String line(long number, String payload) {
    return "{\"number\":%d,\"made_at\":\"2026-11-30T00:00:00Z\",\"payload\":%s,\"kid\":%s,\"algorithm\":\"RS256\",\"signature\":%s,\"public_key\":%s}"
        .formatted(
            number,
            Canonical.string(payload),
            Canonical.string(KID),
            Canonical.string(sign(payload)),
            Canonical.string(Base64.getEncoder().encodeToString(key.getPublic().getEncoded())));
  }

  private String sign(String payload) {
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key.getPrivate());
      signature.update(payload.getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
