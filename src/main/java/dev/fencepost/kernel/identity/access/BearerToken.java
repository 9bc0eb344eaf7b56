package dev.fencepost.kernel.identity.access;

import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Finds the access token of a request: in its {@code Authorization}, and nowhere else. */
final class BearerToken {

  private static final String SCHEME = "Bearer ";

  private BearerToken() {}

  /**
   * The token as it came; empty if there is none.
   *
   * @throws TokenRefused if there is more than one, or one in the query, where logs would keep it
   */
  static Optional<String> of(RoutingContext request) {
    if (!request.queryParam("access_token").isEmpty()) {
      throw new TokenRefused(Reason.TOKEN_IN_QUERY);
    }
    var headers = request.request().headers().getAll("Authorization");
    if (headers.size() > 1) {
      throw new TokenRefused(Reason.MALFORMED);
    }
    return headers.stream()
        .filter(value -> value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(value -> value.substring(SCHEME.length()).strip())
        .findFirst();
  }
}
