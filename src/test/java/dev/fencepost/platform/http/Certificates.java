package dev.fencepost.platform.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that sign themselves, made by the JDK's own tool: a server, a client, a stranger.
 */
record Certificates(Path folder) {

  static final String PASSWORD = "for-tests-only";

  private static final Path FOLDER = Path.of("target", "test-certificates");

  static synchronized Certificates made() {
    try {
      Files.createDirectories(FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var certificates = new Certificates(FOLDER);
    Stream.of("server", "client", "stranger")
        .filter(name -> !Files.exists(certificates.store(name)))
        .forEach(certificates::make);
    return certificates;
  }

  Path store(String name) {
    return folder.resolve(name + ".p12");
  }

  /**
   * What a client goes by that trusts the server.
   *
   * @param name whose certificate it shows, if any
   */
  SSLContext context(@Nullable String name) {
    try {
      var context = SSLContext.getInstance("TLS");
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(load("server"));
      context.init(name == null ? null : keys(name), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyManager[] keys(String name) throws GeneralSecurityException {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(load(name), PASSWORD.toCharArray());
    return keys.getKeyManagers();
  }

  private KeyStore load(String name) {
    try {
      return KeyStore.getInstance(store(name).toFile(), PASSWORD.toCharArray());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void make(String name) {
    try {
      var made =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  name,
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "san=dns:localhost,ip:127.0.0.1",
                  "-ext",
                  "bc=ca:true",
                  "-validity",
                  "2",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  PASSWORD,
                  "-keystore",
                  store(name).toString())
              .inheritIO()
              .start();
      if (made.waitFor() != 0) {
        throw new IllegalStateException("keytool could not make " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
