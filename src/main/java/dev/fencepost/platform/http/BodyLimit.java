package dev.fencepost.platform.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Refuses a body that says it is too long before it is read. One that does not say so, or lies, is
 * cut off by the server's own limit.
 */
@ApplicationScoped
class BodyLimit {

  private static final int AFTER_TRACE = 900;

  private final long bytes;
  private final Problems problems;

  BodyLimit(
      @ConfigProperty(name = "fencepost.http.max-body", defaultValue = "8M") MemorySize limit,
      Problems problems) {
    this.bytes = limit.asLongValue();
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, AFTER_TRACE);
  }

  private void check(RoutingContext request) {
    var length = request.request().getHeader("Content-Length");
    if (length != null && isTooLong(length)) {
      request.response().putHeader("Connection", "close");
      problems.send(
          request, ProblemType.PAYLOAD_TOO_LARGE, "the body may have %d bytes".formatted(bytes));
    } else {
      request.next();
    }
  }

  private boolean isTooLong(String length) {
    try {
      return Long.parseLong(length.strip()) > bytes;
    } catch (NumberFormatException e) {
      return true;
    }
  }
}
