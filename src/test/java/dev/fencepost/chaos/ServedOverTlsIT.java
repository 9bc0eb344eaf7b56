package dev.fencepost.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.Manual;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The packaged service in the environment that the manual gives it for TLS, to the letter. */
class ServedOverTlsIT {

  private static final Path DIRECTORY = Path.of("target", "chaos", "served-over-tls");
  private static final Duration START = Duration.ofSeconds(90);
  private static final String REQUESTS = "QUARKUS_HTTP_INSECURE_REQUESTS";

  private static Authority ours;
  private static Authority clients;
  private static Authority strangers;
  private static Authority.Issued server;

  private final int port = ChaosRedis.freePort();

  @BeforeAll
  static void certificates_are_made() throws IOException {
    Files.createDirectories(DIRECTORY);
    var folder = Files.createTempDirectory(DIRECTORY, "certificates-");
    ours = new Authority("ours", folder);
    server = ours.issue("server", "dns:localhost");
    clients = new Authority("clients", folder);
    clients.issue("client", "dns:client");
    strangers = new Authority("strangers", folder);
    strangers.issue("stranger", "dns:client");
  }

  @Test
  void it_serves_https_and_nothing_on_the_plain_port() throws Exception {
    var environment = environment(1);

    assertThat(environment).containsEntry(REQUESTS, "disabled");
    try (var service = started("disabled", environment)) {
      assertThat(get(ours.trusting()).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> plain(service)).isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void with_a_trust_store_it_serves_clients_that_show_a_certificate_from_there() throws Exception {
    var environment = environment(2);
    environment.put(REQUESTS, "redirect");

    assertThat(environment).containsEntry("FENCEPOST_HTTP_CLIENT_AUTH", "required");
    try (var service = started("required", environment)) {
      assertThat(get(ours.showing(clients)).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> get(ours.trusting())).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> get(ours.showing(strangers))).isInstanceOf(IOException.class);
      assertThat(plain(service).headers().firstValue("Location")).hasValue(https().toString());
    }
  }

  /** The first blocks of the section, with the files that it speaks of. */
  private static Map<String, String> environment(int blocks) {
    return Manual.merged(
        Manual.environments("TLS").subList(0, blocks),
        Map.of(
            "/etc/fencepost/tls/tls.crt", server.certificate().toAbsolutePath().toString(),
            "/etc/fencepost/tls/tls.key", server.key().toAbsolutePath().toString(),
            "/etc/fencepost/tls/clients.crt", clients.certificate().toAbsolutePath().toString()));
  }

  /** On the bundled stores. Speaks TLS when this returns, whoever it then serves. */
  private ServiceProcess started(String name, Map<String, String> environment) {
    var settings = new HashMap<String, String>();
    settings.put("fencepost.data-dir", DIRECTORY.resolve("data").toAbsolutePath().toString());
    settings.put("quarkus.http.ssl-port", Integer.toString(port));
    var service =
        new ServiceProcess(
            name, Path.of("target", "quarkus-app"), DIRECTORY, settings, environment);
    Patience.until(
        name + " speaks TLS, see " + service.log(),
        START,
        () -> {
          assertThat(service.isAlive()).as("alive, see " + service.log()).isTrue();
          return speaksTls();
        });
    return service;
  }

  private boolean speaksTls() {
    try {
      get(ours.trusting());
      return true;
    } catch (SSLException e) {
      // It wants a certificate.
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private URI https() {
    return URI.create("https://localhost:" + port + "/q/health/ready");
  }

  private HttpResponse<String> get(SSLContext context) throws IOException {
    return send(HttpClient.newBuilder().sslContext(context).build(), https());
  }

  private static HttpResponse<String> plain(ServiceProcess service) throws IOException {
    var localhost = service.at("/q/health/ready").toString().replace("127.0.0.1", "localhost");
    var http11 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    return send(http11, URI.create(localhost));
  }

  private static HttpResponse<String> send(HttpClient client, URI uri) throws IOException {
    try {
      return client.send(
          HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
          BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
