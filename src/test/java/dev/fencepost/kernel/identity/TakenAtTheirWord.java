package dev.fencepost.kernel.identity;

import io.quarkus.vertx.http.runtime.filters.Filters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.EnumSet;

/** Callers in tests are who they say they are, in a header. */
@ApplicationScoped
class TakenAtTheirWord {

  private static final int AFTER_TRACE = 800;

  void register(@Observes Filters filters, Callers callers) {
    filters.register(
        request -> {
          var name = request.request().getHeader("X-Test-Caller");
          if (name != null) {
            callers.admit(request, new Caller(name, EnumSet.allOf(Permission.class)));
          }
          request.next();
        },
        AFTER_TRACE);
  }
}
