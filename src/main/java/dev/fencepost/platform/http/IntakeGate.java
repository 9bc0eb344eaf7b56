package dev.fencepost.platform.http;

import dev.fencepost.platform.lifecycle.Intake;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;

/** Refuses, while the process stops, whatever would begin something: another replica takes it. */
@ApplicationScoped
class IntakeGate {

  private static final int AFTER_TRACE = 950;
  private static final Set<HttpMethod> ONLY_LOOKS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  private final Intake intake;
  private final Problems problems;

  IntakeGate(Intake intake, Problems problems) {
    this.intake = intake;
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, AFTER_TRACE);
  }

  private void check(RoutingContext request) {
    if (intake.isOpen() || ONLY_LOOKS.contains(request.request().method())) {
      request.next();
    } else {
      request.response().putHeader("Connection", "close");
      problems.send(
          request, ProblemType.STOPPING, "this replica stops; nothing was done, ask another");
    }
  }
}
