package dev.fencepost.platform.http;

import io.vertx.ext.web.RoutingContext;

/** What must answer however much is going on: whoever watches would else act on a false alarm. */
final class Exempt {

  private Exempt() {}

  static boolean isExempt(RoutingContext request) {
    var path = request.normalizedPath();
    return path.startsWith("/q/health") || path.equals("/q/metrics");
  }
}
