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
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

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

  /** PEM files: a certificate that it has issued, and the key to that. */
  record Issued(Path certificate, Path key) {}

  /**
   * A certificate for whoever answers to these names, as keytool writes them: {@code
   * dns:localhost,ip:127.0.0.1}.
   */
  Issued issue(String who, String names) {
    generate(who, "san=" + names, "-signer", "ca");
    return new Issued(
        write(who + ".crt", "CERTIFICATE", () -> keys().getCertificate(who).getEncoded()),
        write(
            who + ".key",
            "PRIVATE KEY",
            () -> keys().getKey(who, PASSWORD.toCharArray()).getEncoded()));
  }

  /**
   * Lines of configuration for a broker on 127.0.0.1 that shows a certificate of this authority.
   */
  String broker() {
    var broker = issue("broker", "ip:127.0.0.1");
    return "certfile %s%nkeyfile %s%n".formatted(broker.certificate(), broker.key());
  }

  /** What a client goes by that trusts this authority, and shows nothing of its own. */
  SSLContext trusting() {
    return context(null);
  }

  /** What a client goes by that trusts this authority, and shows all that this one has issued. */
  SSLContext showing(Authority issuer) {
    return context(issuer);
  }

  private SSLContext context(@Nullable Authority shown) {
    try {
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(keys());
      var context = SSLContext.getInstance("TLS");
      context.init(shown == null ? null : shown.keyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys(), PASSWORD.toCharArray());
    return managers.getKeyManagers();
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
