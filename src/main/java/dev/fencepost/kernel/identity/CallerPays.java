package dev.fencepost.kernel.identity;

import dev.fencepost.platform.http.RateLimit;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Charges a request to its caller as soon as that is proven, and no longer to its address. */
class CallerPays {

  private final Callers callers;
  private final RateLimit limit;
  private final RoutingContext request;

  CallerPays(Callers callers, RateLimit limit, RoutingContext request) {
    this.callers = callers;
    this.limit = limit;
    this.request = request;
  }

  @ServerRequestFilter(priority = Priorities.USER)
  public void charge() {
    callers.of(request).ifPresent(caller -> limit.charge(request, caller.userId()));
  }
}
