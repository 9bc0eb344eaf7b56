package dev.fencepost.platform.outgoing;

import dev.fencepost.platform.time.Entropy;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;

/** The real doors to the outside, for tests that have a stub behind them. */
public final class TestDoors {

  private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1");

  private TestDoors() {}

  /** HTTP that may reach loopback. */
  public static OutgoingHttp http(Vertx vertx) {
    return http(vertx, LOOPBACK);
  }

  /** HTTP that may reach what the list allows. */
  public static OutgoingHttp http(Vertx vertx, List<String> allow) {
    return http(vertx, allow, limits(1024));
  }

  static VertxOutgoingHttp http(Vertx vertx, List<String> allow, OutgoingConfig limits) {
    return new VertxOutgoingHttp(
        vertx, new AddressLookup(guard(allow, false), limits), new Entropy(), limits);
  }

  /** HTTP over addresses that a test makes up. */
  static OutgoingHttp http(Vertx vertx, AddressLookup lookup) {
    return new VertxOutgoingHttp(vertx, lookup, new Entropy(), limits(1024));
  }

  /** TCP that may reach what the list allows. */
  public static OutgoingTcp tcp(Vertx vertx, List<String> allow) {
    var limits = limits(1024);
    return new VertxOutgoingTcp(
        vertx, new AddressLookup(guard(allow, false), limits), new Entropy(), limits);
  }

  static AddressGuard guard(List<String> allow, boolean embedded) {
    return new AddressGuard(
        () -> allow.isEmpty() ? Optional.empty() : Optional.of(allow), embedded);
  }

  static OutgoingConfig limits(int maxInFlight) {
    return new OutgoingConfig() {
      @Override
      public int maxInFlight() {
        return maxInFlight;
      }

      @Override
      public int connectionsPerHost() {
        return 8;
      }

      @Override
      public int maxWaitingPerHost() {
        return 1024;
      }

      @Override
      public int lookupThreads() {
        return 4;
      }
    };
  }
}
