package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.TIMED_OUT;

import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import dev.fencepost.platform.time.Entropy;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;

/** {@link OutgoingTcp} on Vert.x. */
@Startup // made in a request, the client would belong to the HTTP server and close before the drain
@ApplicationScoped
class VertxOutgoingTcp implements OutgoingTcp {

  /**
   * After which an attempt that nobody waits for any more gives its socket back. Linux sends its
   * SYN at 0, 1, 3 and 7 s: what has not been answered by then will not be.
   */
  private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final AddressLookup lookup;
  private final Entropy entropy;
  private final InFlight inFlight;
  private final NetClient client;

  VertxOutgoingTcp(Vertx vertx, AddressLookup lookup, Entropy entropy, OutgoingConfig config) {
    this.vertx = vertx;
    this.lookup = lookup;
    this.entropy = entropy;
    this.inFlight = new InFlight(config.maxInFlight());
    this.client =
        vertx.createNetClient(
            new NetClientOptions().setConnectTimeout((int) LONGEST_ATTEMPT.toMillis()));
  }

  @Override
  public Uni<Void> connect(URI target, Duration timeout) {
    return inFlight.admit(() -> connect(Endpoint.of(target), timeout));
  }

  private Uni<Void> connect(Endpoint endpoint, Duration timeout) {
    var limit = new TimeLimit(entropy, timeout);
    return lookup
        .find(endpoint, Reach.GUARDED, timeout)
        .flatMap(
            address ->
                connect(endpoint, address)
                    .ifNoItem()
                    .after(limit.left())
                    .failWith(
                        () ->
                            new Unreachable(
                                TIMED_OUT,
                                endpoint + " did not accept a connection in time",
                                false)));
  }

  private Uni<Void> connect(Endpoint endpoint, InetAddress address) {
    var server = SocketAddress.inetSocketAddress(new InetSocketAddress(address, endpoint.port()));
    return Uni.createFrom()
        .emitter(emitter -> vertx.runOnContext(onLoop -> dial(endpoint, server, emitter)));
  }

  // Hangs up whether or not someone still listens to the emitter.
  private void dial(Endpoint endpoint, SocketAddress server, UniEmitter<? super Void> emitter) {
    client
        .connect(server)
        .onSuccess(
            socket -> {
              socket.close();
              emitter.complete(null);
            })
        .onFailure(failure -> emitter.fail(NoAnswer.of(failure, endpoint, false)));
  }
}
