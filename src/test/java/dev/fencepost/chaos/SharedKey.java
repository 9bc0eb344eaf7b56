package dev.fencepost.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The key by which all replicas sign and verify. */
final class SharedKey {

  private SharedKey() {}

  /** The folder that holds it, made at first use. */
  static synchronized Path folder(Path directory) {
    var file = directory.resolve("keys").resolve("chaos.pem");
    if (!Files.exists(file)) {
      write(file);
    }
    return file.getParent();
  }

  /** A fresh key, {@code <kid>.pem}. */
  static void write(Path file) {
    try {
      Files.createDirectories(file.getParent());
      var key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
      var body = Base64.getMimeEncoder().encodeToString(key);
      Files.writeString(
          file, "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
