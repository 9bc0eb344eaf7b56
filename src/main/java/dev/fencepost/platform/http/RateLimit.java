package dev.fencepost.platform.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps any one caller from taking what is there for all. At first a request is charged to the
 * address it comes from, before anything is done for it; once its caller is proven, to that caller
 * instead. Many callers behind one address so have a budget each.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 *     header fields</a>
 */
@ApplicationScoped
public class RateLimit {

  private static final int BEFORE_THE_BODY = 940;
  private static final String CHARGED = RateLimit.class.getName();
  private static final int NETWORK_GROUPS = 4;

  private final Optional<Rate> rate;
  private final CallerBudgets budgets;
  private final Problems problems;
  private final MeterRegistry metrics;

  RateLimit(
      LimitSettings settings, CallerBudgets budgets, Problems problems, MeterRegistry metrics) {
    this.rate =
        settings.requestsPerSecond() == 0
            ? Optional.empty()
            : Optional.of(new Rate(settings.requestsPerSecond(), settings.burst()));
    this.budgets = budgets;
    this.problems = problems;
    this.metrics = metrics;
    metrics.counter("fencepost.requests.limited");
  }

  void register(@Observes Filters filters) {
    rate.ifPresent(limit -> filters.register(request -> check(request, limit), BEFORE_THE_BODY));
  }

  /**
   * Charges a request to its proven caller, and no longer to its address.
   *
   * @throws Refused if the caller has used up its budget
   */
  public void charge(RoutingContext request, String userId) {
    String address = request.get(CHARGED);
    if (rate.isEmpty() || address == null) {
      return;
    }
    budgets.giveBack(address, rate.get());
    if (!isGranted(request, "user " + userId, rate.get())) {
      throw new Refused(ProblemType.TOO_MANY_REQUESTS, detail(rate.get()));
    }
  }

  void check(RoutingContext request, Rate limit) {
    if (Exempt.isExempt(request)) {
      request.next();
      return;
    }
    var address = "address " + network(request.request().remoteAddress());
    if (isGranted(request, address, limit)) {
      request.put(CHARGED, address);
      request.next();
    } else {
      problems.send(request, ProblemType.TOO_MANY_REQUESTS, detail(limit));
    }
  }

  private boolean isGranted(RoutingContext request, String caller, Rate limit) {
    var allowance = budgets.take(caller, limit);
    var headers = request.response().headers();
    headers.set(
        "RateLimit-Policy", "\"caller\";q=%d;w=%d".formatted(limit.burst(), limit.window()));
    headers.set(
        "RateLimit",
        "\"caller\";r=%d;t=%d".formatted(allowance.remaining(), allowance.resetSeconds()));
    if (!allowance.granted()) {
      headers.set("RateLimit-Limit", Integer.toString(limit.burst()));
      headers.set("RateLimit-Remaining", "0");
      headers.set("RateLimit-Reset", Long.toString(allowance.resetSeconds()));
      metrics.counter("fencepost.requests.limited").increment();
    }
    return allowance.granted();
  }

  private static String detail(Rate limit) {
    return "a caller may send %d requests per second here, and %d at once"
        .formatted(limit.perSecond(), limit.burst());
  }

  /** An IPv6 host owns a whole /64: each of its addresses as a caller would be a new one. */
  static String network(@Nullable SocketAddress remote) {
    var address = remote == null ? null : remote.hostAddress();
    if (address == null) {
      return "unknown";
    }
    return address.contains(":")
        ? Arrays.stream(address.split(":")).limit(NETWORK_GROUPS).collect(Collectors.joining(":"))
        : address;
  }
}
