package dev.fencepost.platform.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bodies on their way. A client that sends a byte now and then costs it nothing and holds a request
 * open: so each body has a time limit, and only so many of one address may be on their way at once.
 */
@ApplicationScoped
class BodyArrival {

  private static final int AFTER_RATE = 930;

  private final LimitSettings settings;
  private final Problems problems;
  private final Vertx vertx;
  private final MeterRegistry metrics;
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

  BodyArrival(LimitSettings settings, Problems problems, Vertx vertx, MeterRegistry metrics) {
    this.settings = settings;
    this.problems = problems;
    this.vertx = vertx;
    this.metrics = metrics;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, AFTER_RATE);
  }

  /** Whether something of the request is still to come; over HTTP/2 only its end says so. */
  static boolean isAwaited(HttpServerRequest request) {
    var length = request.getHeader("Content-Length");
    return !request.isEnded()
        && (request.version() == HttpVersion.HTTP_2
            || request.headers().contains("Transfer-Encoding")
            || (length != null && !length.equals("0")));
  }

  private void check(RoutingContext request) {
    if (!isAwaited(request.request())) {
      request.next();
      return;
    }
    var address = RateLimit.network(request.request().remoteAddress());
    if (byAddress.merge(address, 1, Integer::sum) > settings.receiving()) {
      gone(address);
      metrics.counter("fencepost.requests.limited").increment();
      refuse(
          request,
          ProblemType.TOO_MANY_REQUESTS,
          "of one address, %d bodies may be on their way at once".formatted(settings.receiving()));
      return;
    }
    var arrival = new Arrival(request, address);
    request.request().end().onComplete(here -> arrival.over());
    request.addEndHandler(answered -> arrival.over());
    request.next();
  }

  private void gone(String address) {
    byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
  }

  /** One body, from its request's head to its end, or to the answer if that is earlier. */
  private final class Arrival {

    private final String address;
    private final long timer;
    private final AtomicBoolean isOver = new AtomicBoolean();

    Arrival(RoutingContext request, String address) {
      this.address = address;
      this.timer = vertx.setTimer(settings.bodyTimeout().toMillis(), late -> cutOff(request));
    }

    void over() {
      if (isOver.compareAndSet(false, true)) {
        vertx.cancelTimer(timer);
        gone(address);
      }
    }

    private void cutOff(RoutingContext request) {
      refuse(
          request,
          ProblemType.REQUEST_TIMEOUT,
          "the body was not here within %d ms".formatted(settings.bodyTimeout().toMillis()));
    }
  }

  /** What is left of the body is not read: the connection is of no more use. */
  private void refuse(RoutingContext request, ProblemType type, String detail) {
    if (!request.response().headWritten()) {
      if (request.request().version() != HttpVersion.HTTP_2) {
        request.response().putHeader("Connection", "close");
        request.addEndHandler(sent -> request.request().connection().close());
      }
      problems.send(request, type, detail);
    }
  }
}
