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

  private static final String REALM = "Bearer realm=\"fencepost\"";
  private static final String CHALLENGE = Problems.class.getName() + ".challenge";

  private final RequestTrace traces;
  private final ObjectMapper json;

  Problems(RequestTrace traces, ObjectMapper json) {
    this.traces = traces;
    this.json = json;
  }

  /**
   * Notes that a request came with a token that was of no use, so that its challenge says so.
   *
   * @see <a href="https://www.rfc-editor.org/rfc/rfc6750#section-3">RFC 6750</a>
   */
  public static void tokenWasInvalid(RoutingContext request) {
    request.put(CHALLENGE, REALM + ", error=\"invalid_token\"");
  }

  static String challenge(RoutingContext request) {
    String noted = request.get(CHALLENGE);
    return noted == null ? REALM : noted;
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
