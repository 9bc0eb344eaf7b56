package dev.fencepost.platform.http;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Whether a TLS client must show a certificate of its own. Quarkus fixes that when it is built; who
 * installs the service decides it here.
 */
@ApplicationScoped
class ClientCertificates implements HttpServerOptionsCustomizer {

  private final ClientAuth clientAuth;

  ClientCertificates(
      @ConfigProperty(name = "fencepost.http.client-auth", defaultValue = "NONE")
          ClientAuth clientAuth) {
    this.clientAuth = clientAuth;
  }

  @Override
  public void customizeHttpsServer(HttpServerOptions options) {
    options.setClientAuth(clientAuth);
  }
}
