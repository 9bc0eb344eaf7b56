package dev.fencepost.kernel.audit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.platform.time.Entropy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The keys of the folder {@code fencepost.identity.keys.path}: all verify, one signs. Read anew at
 * each use, which is rare, so a new key is a new file. Blocks: for worker threads.
 */
@ApplicationScoped
class SigningKeys {

  private static final String ENDING = ".pem";
  private static final int KEY_BITS = 2048;
  private static final int PEM_LINE = 64;

  private final Path folder;
  private final Optional<String> active;
  private final Entropy entropy;

  SigningKeys(
      @ConfigProperty(name = "fencepost.identity.keys.path") Optional<String> path,
      @ConfigProperty(name = "fencepost.identity.keys.active") Optional<String> active,
      @ConfigProperty(name = "fencepost.data-dir") String dataDir,
      Entropy entropy) {
    this.folder = path.map(Path::of).orElseGet(() -> Path.of(dataDir, "keys"));
    this.active = active;
    this.entropy = entropy;
  }

  /** The one that signs: the active one, or the last by name; made if there is none at all. */
  CheckpointSigner signer() {
    var keys = all();
    if (keys.isEmpty()) {
      make();
      keys = all();
    }
    var kid = active.orElse(keys.lastKey());
    var signer = keys.get(kid);
    if (signer == null) {
      throw new IllegalStateException("there is no key " + kid + " in " + folder);
    }
    return signer;
  }

  /** All of them by name. */
  NavigableMap<String, CheckpointSigner> all() {
    var keys = new TreeMap<String, CheckpointSigner>();
    if (!Files.isDirectory(folder)) {
      return keys;
    }
    try (var files = Files.list(folder)) {
      for (var file : files.filter(path -> path.toString().endsWith(ENDING)).toList()) {
        var name = String.valueOf(file.getFileName());
        var kid = name.substring(0, name.length() - ENDING.length());
        keys.put(kid, CheckpointSigner.of(kid, Files.readString(file, UTF_8)));
      }
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the keys in " + folder, e);
    }
  }

  private void make() {
    try {
      Files.createDirectories(folder);
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(KEY_BITS);
      var encoded = generator.generateKeyPair().getPrivate().getEncoded();
      var pem =
          "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
              .formatted(
                  Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'}).encodeToString(encoded));
      var part = folder.resolve("new-key.part");
      Files.deleteIfExists(part);
      Files.createFile(
          part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(part, pem);
      Files.move(
          part,
          folder.resolve("key-" + entropy.freshId() + ENDING),
          StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a key in " + folder, e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has RSA", e);
    }
  }
}
