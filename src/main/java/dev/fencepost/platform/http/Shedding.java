package dev.fencepost.platform.http;

import dev.fencepost.platform.time.Entropy;
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
 * to) are counted apart: ten thousand of them are idle, ten thousand others are a heap. How many
 * may be worked on follows how fast they are: see {@link WorkLimit}.
 */
@ApplicationScoped
class Shedding {

  private static final int BEFORE_ANY_WORK = 950;

  private final LimitSettings settings;
  private final Problems problems;
  private final MeterRegistry metrics;
  private final Entropy entropy;
  private final WorkLimit limit;
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  Shedding(LimitSettings settings, Problems problems, MeterRegistry metrics, Entropy entropy) {
    this.settings = settings;
    this.problems = problems;
    this.metrics = metrics;
    this.entropy = entropy;
    this.limit = new WorkLimit(settings.inFlight(), entropy.nanoTime());
    metrics.gauge("fencepost.requests.working.limit", limit, WorkLimit::now);
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
      if (isTaken(request, waiting, settings.waiting())) {
        request.addEndHandler(done -> waiting.decrementAndGet());
        request.next();
      }
    } else if (isTaken(request, working, limit.now())) {
      watch(request, working.get(), entropy.nanoTime());
      request.next();
    }
  }

  private void watch(RoutingContext request, int besides, long since) {
    request.addEndHandler(
        done -> {
          working.decrementAndGet();
          var now = entropy.nanoTime();
          limit.answered(now - since, besides, now);
        });
  }

  private boolean isTaken(RoutingContext request, AtomicInteger open, int most) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      metrics.counter("fencepost.requests.shed").increment();
      problems.send(
          request,
          ProblemType.OVERLOADED,
          "%d requests are in progress here; try again".formatted(most));
      return false;
    }
    return true;
  }

  private static boolean mostlyWaits(RoutingContext request) {
    var prefer = request.request().getHeader("Prefer");
    var accept = request.request().getHeader("Accept");
    return (prefer != null && prefer.toLowerCase(Locale.ROOT).contains("wait"))
        || (accept != null && accept.contains("text/event-stream"));
  }
}
