package dev.fencepost.platform.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.platform.telemetry.RequestTrace;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Writes problems for requests, inside and outside of JAX-RS. */
@ApplicationScoped
public class Problems {

  /** What a refused client is asked to wait before it tries again. */
  public static final String RETRY_AFTER_SECONDS = "1";

  private final RequestTrace traces;
  private final ObjectMapper json;

  Problems(RequestTrace traces, ObjectMapper json) {
    this.traces = traces;
    this.json = json;
  }

  /** The body of a refusal, for those who write the answer around it themselves. */
  public Problem of(RoutingContext request, ProblemType type, String detail) {
    return of(request, type, detail, List.of());
  }

  Problem of(
      RoutingContext request, ProblemType type, String detail, List<Refused.FieldError> errors) {
    return new Problem(
        type.uri(),
        type.title(),
        type.status(),
        detail,
        request.normalizedPath(),
        traces.of(request).traceId(),
        errors);
  }

  /** Answers a request that JAX-RS never saw. */
  void send(RoutingContext request, ProblemType type, String detail) {
    var response =
        request
            .response()
            .setStatusCode(type.status())
            .putHeader("Content-Type", Problem.MEDIA_TYPE);
    if (type.mayPass()) {
      response.putHeader("Retry-After", RETRY_AFTER_SECONDS);
    }
    try {
      response.end(json.writeValueAsString(of(request, type, detail)));
    } catch (JsonProcessingException e) {
      throw new AssertionError("a problem is plain data", e);
    }
  }
}
