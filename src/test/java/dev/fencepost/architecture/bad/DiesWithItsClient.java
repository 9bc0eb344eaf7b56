package dev.fencepost.architecture.bad;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;

/** Not a resource, or it would be served; the rule looks at methods. */
class DiesWithItsClient {

  @POST
  Uni<String> work(Uni<String> work) {
    return work;
  }
}
