package dev.fencepost.kernel.identity.token;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import dev.fencepost.platform.lifecycle.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** A folder of private keys, {@code <kid>.pem}. No message shows what is in a file. */
final class KeyFolder {

  private static final String SUFFIX = ".pem";
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";
  private static final Pattern KID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final int BITS = 2048;
  private static final int LINE = 64;

  private KeyFolder() {}

  /**
   * Reads all keys, in the order of their names.
   *
   * @throws IllegalStateException if a file is no RSA key of {@value #BITS} bits or more
   */
  static List<SigningKey> read(Path folder) {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .sorted()
          .map(KeyFolder::key)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the folder of keys " + folder, e);
    }
  }

  /**
   * Makes a key of its own for a service that was given none, unless another process is faster: the
   * folder comes into being with its key in it, once.
   */
  static void makeFirst(Path folder, String kid) {
    var fresh = folder.resolveSibling(folder.getFileName() + "-" + kid);
    make(fresh, kid);
    try {
      Files.move(fresh, folder, ATOMIC_MOVE);
    } catch (IOException e) {
      discard(fresh, kid);
      if (!Files.isDirectory(folder) || read(folder).isEmpty()) {
        throw new IllegalStateException("cannot make a key in " + folder, e);
      }
    }
  }

  private static void discard(Path fresh, String kid) {
    try {
      Files.deleteIfExists(fresh.resolve(kid + SUFFIX));
      Files.deleteIfExists(fresh);
    } catch (IOException e) {
      throw new IllegalStateException("cannot take away " + fresh, e);
    }
  }

  private static void make(Path folder, String kid) {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(BITS);
      var encoded = generator.generateKeyPair().getPrivate().getEncoded();
      var body = Base64.getMimeEncoder(LINE, "\n".getBytes(US_ASCII)).encodeToString(encoded);
      PrivateFile.write(folder.resolve(kid + SUFFIX), BEGIN + "\n" + body + "\n" + END + "\n");
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JVM makes RSA keys", e);
    }
  }

  private static SigningKey key(Path file) {
    var name = file.getFileName().toString();
    var kid = name.substring(0, name.length() - SUFFIX.length());
    if (!KID.matcher(kid).matches()) {
      throw unusable(file, "its name does not match " + KID.pattern() + SUFFIX);
    }
    try {
      var secret = secret(file);
      if (secret.getModulus().bitLength() < BITS) {
        throw unusable(file, "it has fewer than " + BITS + " bits");
      }
      var open = new RSAPublicKeySpec(secret.getModulus(), secret.getPublicExponent());
      return new SigningKey(
          kid, secret, (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(open));
    } catch (IOException e) {
      throw unusable(file, "it cannot be read");
    } catch (GeneralSecurityException | IllegalArgumentException | ClassCastException e) {
      // Without its cause, which might quote the key.
      throw unusable(file, "it is no RSA private key in PKCS#8 PEM");
    }
  }

  private static RSAPrivateCrtKey secret(Path file) throws IOException, GeneralSecurityException {
    var text = Files.readString(file, US_ASCII);
    var begin = text.indexOf(BEGIN);
    var end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("no PEM");
    }
    var encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
    return (RSAPrivateCrtKey)
        KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }

  private static IllegalStateException unusable(Path file, String why) {
    return new IllegalStateException("the key " + file + " is of no use: " + why);
  }
}
