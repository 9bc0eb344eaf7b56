package dev.fencepost.platform.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * What tells a browser to trust an answer no further than needed. Set before anything is done, so
 * that refusals carry it too, and whoever answers may still say otherwise.
 */
@ApplicationScoped
class SecurityHeaders {

  private static final int RIGHT_AFTER_TRACE = 990;

  private static final String DATA = "default-src 'none'; frame-ancestors 'none'";
  private static final String PAGES =
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
          + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  /** Swagger UI begins with a script of its own in the page. */
  private static final String SWAGGER =
      "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  void register(@Observes Filters filters) {
    filters.register(SecurityHeaders::add, RIGHT_AFTER_TRACE);
  }

  private static void add(RoutingContext request) {
    var path = request.normalizedPath();
    var headers = request.response().headers();
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Content-Security-Policy", policy(path));
    if (isData(path)) {
      headers.set("Cache-Control", "no-store");
    }
    if (request.request().isSSL()) {
      headers.set("Strict-Transport-Security", "max-age=31536000");
    }
    request.next();
  }

  private static String policy(String path) {
    if (isData(path)) {
      return DATA;
    }
    return path.startsWith("/q/swagger-ui") ? SWAGGER : PAGES;
  }

  private static boolean isData(String path) {
    return path.startsWith("/v1/") || path.startsWith("/oauth/");
  }
}
