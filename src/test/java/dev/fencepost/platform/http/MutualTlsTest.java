package dev.fencepost.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings by which the service speaks TLS, and only to clients that show a certificate. */
@QuarkusTest
@TestProfile(MutualTlsTest.Mutual.class)
class MutualTlsTest {

  @TestHTTPResource(value = "/q/health/live", tls = true)
  URI live;

  @Test
  void a_client_with_a_certificate_is_served() throws Exception {
    var answer = client("client").send(get(), BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
  }

  @Test
  void a_client_without_one_is_not() {
    assertThatThrownBy(() -> client(null).send(get(), BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void a_client_whose_certificate_nobody_trusts_is_not() {
    assertThatThrownBy(() -> client("stranger").send(get(), BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }

  private HttpRequest get() {
    return HttpRequest.newBuilder(live).build();
  }

  private static HttpClient client(String name) {
    return HttpClient.newBuilder().sslContext(Certificates.made().context(name)).build();
  }

  /** As docs/operations.md says it. */
  public static final class Mutual implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      var certificates = Certificates.made();
      return Map.of(
          "quarkus.http.test-ssl-port",
          "0",
          "quarkus.tls.key-store.p12.path",
          certificates.store("server").toString(),
          "quarkus.tls.key-store.p12.password",
          Certificates.PASSWORD,
          "quarkus.tls.trust-store.p12.path",
          certificates.store("client").toString(),
          "quarkus.tls.trust-store.p12.password",
          Certificates.PASSWORD,
          "fencepost.http.client-auth",
          "required");
    }
  }
}
