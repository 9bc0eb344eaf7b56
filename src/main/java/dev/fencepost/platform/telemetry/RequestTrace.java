package dev.fencepost.platform.telemetry;

import dev.fencepost.platform.time.Entropy;
import io.opentelemetry.api.trace.Span;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/**
 * Gives every request its trace: that of its span if traces are exported, else the caller's if it
 * sent a good one, else a fresh one.
 */
@ApplicationScoped
public class RequestTrace {

  private static final String KEY = Trace.class.getName();
  private static final int BEFORE_EVERYTHING = 1000;

  private final Entropy entropy;

  RequestTrace(Entropy entropy) {
    this.entropy = entropy;
  }

  void register(@Observes Filters filters) {
    filters.register(
        request -> {
          of(request);
          request.next();
        },
        BEFORE_EVERYTHING);
  }

  /** The trace of a request, made on first sight. */
  public Trace of(RoutingContext request) {
    Trace known = request.get(KEY);
    if (known != null) {
      return known;
    }
    var trace =
        Trace.of(Span.current())
            .or(
                () ->
                    Optional.ofNullable(request.request().getHeader("traceparent"))
                        .flatMap(Trace::parse))
            .orElseGet(() -> Trace.fresh(entropy.freshBytes(Trace.SEED_BYTES)));
    request.put(KEY, trace);
    return trace;
  }
}
