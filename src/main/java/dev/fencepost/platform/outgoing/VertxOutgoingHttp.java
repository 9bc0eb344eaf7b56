package dev.fencepost.platform.outgoing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;

/** {@link OutgoingHttp} on Vert.x: HTTP/1.1, certificates and host names always verified. */
@Startup // made in a request, the client would belong to the HTTP server and close before the drain
@ApplicationScoped
class VertxOutgoingHttp implements OutgoingHttp {

  private static final String USER_AGENT = "fencepost";

  private final Vertx vertx;
  private final AddressLookup lookup;
  private final Entropy entropy;
  private final InFlight inFlight;
  private final HttpClient trusted;
  private final HttpClient guarded;

  VertxOutgoingHttp(Vertx vertx, AddressLookup lookup, Entropy entropy, OutgoingConfig config) {
    this.vertx = vertx;
    this.lookup = lookup;
    this.entropy = entropy;
    this.inFlight = new InFlight(config.maxInFlight());
    this.trusted =
        vertx.createHttpClient(
            verifying().setKeepAlive(true),
            new PoolOptions()
                .setHttp1MaxSize(config.connectionsPerHost())
                .setMaxWaitQueueSize(config.maxWaitingPerHost()));
    // A connection of its own per request: a kept one that its host has just closed would leave
    // us in doubt whether a message was delivered, and a queue would look like a slow host.
    this.guarded =
        vertx.createHttpClient(
            verifying().setKeepAlive(false),
            new PoolOptions().setHttp1MaxSize(config.maxInFlight()));
  }

  private static HttpClientOptions verifying() {
    return new HttpClientOptions().setVerifyHost(true).setTrustAll(false);
  }

  @Override
  public Uni<Answer> send(Request request) {
    return inFlight.admit(() -> exchange(request));
  }

  private Uni<Answer> exchange(Request request) {
    var endpoint = Endpoint.of(request.target());
    var limit = new TimeLimit(entropy, request.timeout());
    return lookup
        .find(endpoint, request.reach(), request.timeout())
        .flatMap(address -> exchange(request, endpoint, address, limit.left()));
  }

  private Uni<Answer> exchange(
      Request request, Endpoint endpoint, InetAddress address, Duration left) {
    return new Exchange(request, endpoint, options(request, endpoint, address, left))
        .run(vertx, request.reach() == Reach.GUARDED ? guarded : trusted, left);
  }

  private static RequestOptions options(
      Request request, Endpoint endpoint, InetAddress address, Duration left) {
    var tls = Endpoint.isScheme(request.target(), "https");
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.valueOf(request.method()))
            .setSsl(tls)
            .setServer(
                SocketAddress.inetSocketAddress(new InetSocketAddress(address, endpoint.port())))
            .setHost(endpoint.host())
            .setPort(endpoint.port())
            .setURI(pathAndQuery(request.target()))
            .setFollowRedirects(false)
            .setConnectTimeout(left.toMillis() + 1)
            .putHeader("Host", endpoint.authority(tls))
            .putHeader("User-Agent", USER_AGENT);
    var userInfo = request.target().getUserInfo();
    if (userInfo != null) {
      options.putHeader("Authorization", basic(userInfo));
    }
    request.headers().forEach((name, value) -> options.getHeaders().set(name, value));
    return options;
  }

  private static String pathAndQuery(URI target) {
    var path = target.getRawPath();
    var query = target.getRawQuery();
    return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
  }

  private static String basic(String userInfo) {
    return "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(UTF_8));
  }
}
