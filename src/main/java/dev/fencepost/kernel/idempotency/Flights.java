package dev.fencepost.kernel.idempotency;

import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Where a request carries its flight. */
final class Flights {

  private static final String KEY = Flight.class.getName();

  private Flights() {}

  static Optional<Flight> of(RoutingContext request) {
    return Optional.ofNullable(request.get(KEY));
  }

  static void put(RoutingContext request, Flight flight) {
    request.put(KEY, flight);
  }
}
