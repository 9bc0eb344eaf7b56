package dev.fencepost.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A signing key for a service that is not in embedded mode, made once. */
final class Keys {

  private static final int BITS = 2048;

  private Keys() {}

  static Path folder() {
    var folder = Results.DIRECTORY.resolve("keys");
    var key = folder.resolve("bench.pem");
    try {
      if (!Files.exists(key)) {
        Files.createDirectories(folder);
        Files.writeString(key, pem());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has RSA", e);
    }
    return folder.toAbsolutePath();
  }

  private static String pem() throws NoSuchAlgorithmException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(BITS);
    var encoder = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN PRIVATE KEY-----\n"
        + encoder.encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }
}
