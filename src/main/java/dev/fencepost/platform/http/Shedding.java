package dev.fencepost.platform.http;

import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Refuses at once what could only queue. Requests whose bodies are on their way, and those that
 * mostly wait (streams, and such as prefer to), are counted apart: ten thousand of them are idle,
 * ten thousand others are a heap. How many may be worked on follows how fast they are: see {@link
 * WorkLimit}.
 */
@ApplicationScoped
public class Shedding {

  private static final int BEFORE_ANY_WORK = 950;

  private static final String PLACE = Shedding.class.getName();

  private final LimitSettings settings;
  private final Problems problems;
  private final MeterRegistry metrics;
  private final Entropy entropy;
  private final WorkLimit limit;
  private final AtomicInteger receiving = new AtomicInteger();
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  Shedding(LimitSettings settings, Problems problems, MeterRegistry metrics, Entropy entropy) {
    this.settings = settings;
    this.problems = problems;
    this.metrics = metrics;
    this.entropy = entropy;
    this.limit = new WorkLimit(settings.inFlight(), entropy.nanoTime());
    metrics.gauge("fencepost.requests.working.limit", limit, WorkLimit::now);
    metrics.gauge("fencepost.requests.receiving", List.of(), receiving);
    metrics.gauge("fencepost.requests.working", List.of(), working);
    metrics.gauge("fencepost.requests.waiting", List.of(), waiting);
    metrics.counter("fencepost.requests.shed");
  }

  void register(@Observes Filters filters) {
    filters.register(this::admit, BEFORE_ANY_WORK);
  }

  /**
   * Takes a request out of the way of those that are worked on, from now to its end.
   *
   * @return false if too many wait already: then this one must not
   */
  public boolean mayWait(RoutingContext request) {
    Place place = request.get(PLACE);
    return place == null || place.mayWait();
  }

  /** As {@link #mayWait}, for what can only wait. */
  public void requireWait(RoutingContext request) {
    if (!mayWait(request)) {
      shed();
      throw new Refused(ProblemType.OVERLOADED, detail(settings.waiting()));
    }
  }

  private void admit(RoutingContext request) {
    if (Exempt.isExempt(request)) {
      request.next();
    } else if (!BodyArrival.isAwaited(request.request())) {
      if (isTaken(request, working, limit.now())) {
        begin(request, new Place(working));
      }
    } else if (working.get() >= limit.now()) {
      refuse(request, limit.now());
    } else if (isTaken(request, receiving, settings.inFlight())) {
      var place = new Place(receiving);
      request.request().end().onSuccess(here -> place.work());
      begin(request, place);
    }
  }

  private static void begin(RoutingContext request, Place place) {
    request.put(PLACE, place);
    request.addEndHandler(done -> place.leave());
    request.next();
  }

  private boolean isTaken(RoutingContext request, AtomicInteger open, int most) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      refuse(request, most);
      return false;
    }
    return true;
  }

  private void refuse(RoutingContext request, int most) {
    shed();
    problems.send(request, ProblemType.OVERLOADED, detail(most));
  }

  private void shed() {
    metrics.counter("fencepost.requests.shed").increment();
  }

  private static String detail(int most) {
    return "%d requests are in progress here; try again".formatted(most);
  }

  /** What one request is counted among. Its body, its wait and its end may come on any thread. */
  private final class Place {

    private @Nullable AtomicInteger among;
    private long since;
    private int besides;

    Place(AtomicInteger among) {
      this.among = among;
      workBegins();
    }

    private void workBegins() {
      since = entropy.nanoTime();
      besides = working.get();
    }

    synchronized void work() {
      if (among == receiving) {
        working.incrementAndGet();
        move(receiving, working);
        workBegins();
      }
    }

    synchronized boolean mayWait() {
      if (among == null || among == waiting) {
        return true;
      }
      if (waiting.incrementAndGet() > settings.waiting()) {
        waiting.decrementAndGet();
        return false;
      }
      move(among, waiting);
      return true;
    }

    synchronized void leave() {
      if (among != null) {
        move(among, null);
      }
    }

    private void move(AtomicInteger from, @Nullable AtomicInteger to) {
      from.decrementAndGet();
      if (from == working) {
        var now = entropy.nanoTime();
        limit.answered(now - since, besides, now);
      }
      among = to;
    }
  }
}
