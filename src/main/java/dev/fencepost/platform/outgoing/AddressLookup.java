package dev.fencepost.platform.outgoing;

import static dev.fencepost.platform.outgoing.Unreachable.Kind.BROKEN;
import static dev.fencepost.platform.outgoing.Unreachable.Kind.UNKNOWN_HOST;

import dev.fencepost.platform.outgoing.OutgoingHttp.Reach;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Turns a host into the one address that will be connected to. Looking it up again later could give
 * another answer than the one that was judged.
 */
@ApplicationScoped
class AddressLookup {

  private static final int IDLE_SECONDS = 30;

  private final AddressGuard guard;
  private final ThreadPoolExecutor threads;

  AddressLookup(AddressGuard guard, OutgoingConfig config) {
    this.guard = guard;
    this.threads =
        new ThreadPoolExecutor(
            config.lookupThreads(),
            config.lookupThreads(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(config.maxInFlight()),
            work -> daemon(work));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Looks up and judges.
   *
   * @return the first address that may be reached; fails with {@link ForbiddenAddress} when there
   *     is none, with {@link Unreachable} when the name has no address or none is known in time
   */
  Uni<InetAddress> find(Endpoint endpoint, Reach reach, Duration limit) {
    return candidates(endpoint, limit).map(found -> choose(endpoint, reach, found));
  }

  private Uni<List<InetAddress>> candidates(Endpoint endpoint, Duration limit) {
    return HostLiteral.parse(endpoint.host())
        .map(address -> Uni.createFrom().item(List.of(address)))
        .orElseGet(() -> ask(endpoint, limit));
  }

  private Uni<List<InetAddress>> ask(Endpoint endpoint, Duration limit) {
    return Uni.createFrom()
        .item(() -> resolve(endpoint))
        .runSubscriptionOn(threads)
        .onFailure(RejectedExecutionException.class)
        .transform(full -> new Unreachable(BROKEN, "too many name lookups wait here", false))
        .ifNoItem()
        .after(limit)
        .failWith(() -> unknown(endpoint, "was not looked up within " + limit.toMillis() + " ms"));
  }

  private List<InetAddress> resolve(Endpoint endpoint) {
    try {
      return Stream.of(addressesOf(endpoint.host())).toList();
    } catch (UnknownHostException e) {
      throw unknown(endpoint, "does not resolve");
    }
  }

  /** Blocks. */
  InetAddress[] addressesOf(String name) throws UnknownHostException {
    return InetAddress.getAllByName(name);
  }

  private InetAddress choose(Endpoint endpoint, Reach reach, List<InetAddress> candidates) {
    return candidates.stream()
        .filter(address -> reach == Reach.TRUSTED || guard.allows(address))
        .findFirst()
        .orElseThrow(
            () ->
                new ForbiddenAddress(
                    "fencepost.probe.allow does not allow the address of " + endpoint));
  }

  private static Unreachable unknown(Endpoint endpoint, String what) {
    return new Unreachable(UNKNOWN_HOST, endpoint.host() + " " + what, false);
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "fencepost-lookup");
    thread.setDaemon(true);
    return thread;
  }

  @PreDestroy
  void close() {
    threads.shutdownNow();
  }
}
