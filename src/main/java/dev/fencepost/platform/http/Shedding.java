package dev.fencepost.platform.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Refuses at once what could only queue. Requests that mostly wait (streams, and those that prefer
 * to) are counted apart: ten thousand of them are idle, ten thousand others are a heap.
 */
@ApplicationScoped
class Shedding {

  private static final int BEFORE_ANY_WORK = 950;

  private final LimitSettings settings;
  private final Problems problems;
  private final MeterRegistry metrics;
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  Shedding(LimitSettings settings, Problems problems, MeterRegistry metrics) {
    this.settings = settings;
    this.problems = problems;
    this.metrics = metrics;
    metrics.gauge("fencepost.requests.working", List.of(), working);
    metrics.gauge("fencepost.requests.waiting", List.of(), waiting);
    metrics.counter("fencepost.requests.shed");
  }

  void register(@Observes Filters filters) {
    filters.register(this::admit, BEFORE_ANY_WORK);
  }

  private void admit(RoutingContext request) {
    if (Exempt.isExempt(request)) {
      request.next();
    } else if (mostlyWaits(request)) {
      admit(request, waiting, settings.waiting());
    } else {
      admit(request, working, settings.inFlight());
    }
  }

  private void admit(RoutingContext request, AtomicInteger open, int most) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      metrics.counter("fencepost.requests.shed").increment();
      problems.send(
          request,
          ProblemType.OVERLOADED,
          "%d requests are in progress here; try again".formatted(most));
    } else {
      request.addEndHandler(done -> open.decrementAndGet());
      request.next();
    }
  }

  private static boolean mostlyWaits(RoutingContext request) {
    var prefer = request.request().getHeader("Prefer");
    var accept = request.request().getHeader("Accept");
    return (prefer != null && prefer.toLowerCase(Locale.ROOT).contains("wait"))
        || (accept != null && accept.contains("text/event-stream"));
  }
}
