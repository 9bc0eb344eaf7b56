package dev.fencepost.chaos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate authority of its own, made by the JDK's keytool, and what it has issued. */
final class Authority {

  private static final String PASSWORD = "only-in-tests";

  private final String name;
  private final Path folder;
  private final Path store;

  Authority(String name, Path folder) {
    this.name = name;
    this.folder = folder;
    this.store = folder.resolve(name + ".p12");
    generate("ca", "bc:critical=ca:true");
  }

  /** A PEM file of its own certificate: who trusts it, trusts what it issues. */
  Path certificate() {
    return write("ca.crt", "CERTIFICATE", () -> keys().getCertificate("ca").getEncoded());
  }

  /**
   * Lines of configuration for a broker on 127.0.0.1 that shows a certificate of this authority.
   */
  String broker() {
    generate("broker", "san=ip:127.0.0.1", "-signer", "ca");
    var certificate =
        write("broker.crt", "CERTIFICATE", () -> keys().getCertificate("broker").getEncoded());
    var key =
        write(
            "broker.key",
            "PRIVATE KEY",
            () -> keys().getKey("broker", PASSWORD.toCharArray()).getEncoded());
    return "certfile %s%nkeyfile %s%n".formatted(certificate, key);
  }

  private void generate(String alias, String extension, String... more) {
    var command = new ArrayList<>(List.of("keytool", "-genkeypair", "-alias", alias));
    command.addAll(List.of("-keyalg", "RSA", "-dname", "CN=" + name + "-" + alias));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of("-ext", extension));
    command.addAll(List.of(more));
    Mosquitto.run(command);
  }

  private KeyStore keys() throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  private interface Encoded {
    byte[] bytes() throws GeneralSecurityException, IOException;
  }

  private Path write(String file, String what, Encoded encoded) {
    try {
      var text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(encoded.bytes());
      return Files.writeString(
          folder.resolve(name + "-" + file),
          "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(what, text));
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }
}
