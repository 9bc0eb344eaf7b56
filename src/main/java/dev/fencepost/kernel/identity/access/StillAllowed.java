package dev.fencepost.kernel.identity.access;

import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.platform.http.Refused;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Predicate;

/**
 * Whether who opened a stream may still have it. A stream outlives the moment in which its token
 * was judged, so whoever keeps one open asks again, and again.
 */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
public class StillAllowed {

  private static final String ENDED = "fencepost.identity.streams.ended";

  private final ProveCaller proveCaller;
  private final MeterRegistry metrics;

  StillAllowed(ProveCaller proveCaller, MeterRegistry metrics) {
    this.proveCaller = proveCaller;
    this.metrics = metrics;
    metrics.counter(ENDED);
  }

  /**
   * Judges the token of a request anew, every time it is subscribed to.
   *
   * @param may what its caller must still be permitted
   * @return false, which ends the stream: the token is over, its caller may do less, or nobody can
   *     say. Who comes back with a new request is told which.
   */
  public Uni<Boolean> of(RoutingContext request, Predicate<Caller> may) {
    var token = BearerToken.of(request).orElse("");
    return proveCaller
        .prove(token)
        .map(may::test)
        .onFailure(TokenRefused.class)
        .recoverWithItem(false)
        .onFailure(Refused.class)
        .recoverWithItem(false)
        .invoke(this::count);
  }

  private void count(boolean allowed) {
    if (!allowed) {
      metrics.counter(ENDED).increment();
    }
  }
}
