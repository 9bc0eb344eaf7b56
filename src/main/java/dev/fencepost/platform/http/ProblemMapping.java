package dev.fencepost.platform.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** The one place where a refusal, or a bug, becomes HTTP. */
@RegisterForReflection(targets = {Problem.class, Refused.FieldError.class})
class ProblemMapping {

  private static final Logger LOG = Logger.getLogger(ProblemMapping.class);

  private final Problems problems;
  private final RoutingContext request;

  ProblemMapping(Problems problems, RoutingContext request) {
    this.problems = problems;
    this.request = request;
  }

  @ServerExceptionMapper
  Response refused(Refused refused) {
    return answer(refused.type(), refused.detail(), refused.errors());
  }

  @ServerExceptionMapper
  Response redisUnavailable(RedisUnavailable away) {
    return switch (away.cause()) {
      case TOO_MANY_IN_FLIGHT ->
          answer(ProblemType.OVERLOADED, "too many requests are in flight; try again", List.of());
      case TAKES_NO_WRITES ->
          answer(
              ProblemType.UNAVAILABLE,
              "the store of process facts takes no writes now; try again later",
              List.of());
      case NO_ANSWER ->
          answer(
              ProblemType.UNAVAILABLE,
              "the store of process facts does not answer; nothing was changed that we know of",
              List.of());
    };
  }

  @ServerExceptionMapper
  Response invalid(ConstraintViolationException violations) {
    var errors =
        violations.getConstraintViolations().stream()
            .map(
                violation ->
                    new Refused.FieldError(
                        lastName(violation.getPropertyPath().toString()), violation.getMessage()))
            .sorted((a, b) -> a.field().compareTo(b.field()))
            .toList();
    var detail =
        errors.stream()
            .map(error -> error.field() + " " + error.message())
            .collect(Collectors.joining("; "));
    return answer(ProblemType.VALIDATION_FAILED, detail, errors);
  }

  @ServerExceptionMapper
  Response mismatched(MismatchedInputException mismatch) {
    return unreadable(mismatch);
  }

  @ServerExceptionMapper
  Response notJson(JsonProcessingException failure) {
    return unreadable(failure);
  }

  @ServerExceptionMapper
  Response web(WebApplicationException failure) {
    if (failure.getCause() instanceof JsonProcessingException json) {
      return unreadable(json);
    }
    var status = failure.getResponse().getStatus();
    var type =
        Arrays.stream(ProblemType.values())
            .filter(candidate -> candidate.status() == status)
            .findFirst();
    if (type.isEmpty()) {
      return broken(failure);
    }
    return answer(type.get(), describe(type.get()), List.of());
  }

  @ServerExceptionMapper
  Response broken(Throwable bug) {
    var problem =
        problems.of(
            request,
            ProblemType.INTERNAL_ERROR,
            "the cause is logged under this trace id; the request may or may not have had effect");
    LogFacts.log(
        LOG,
        Level.ERROR,
        () -> LogFacts.NONE.trace(problem.traceId()),
        bug,
        "%s %s failed, trace %s",
        request.request().method(),
        problem.instance(),
        problem.traceId());
    return response(problem, ProblemType.INTERNAL_ERROR);
  }

  private Response unreadable(JsonProcessingException failure) {
    if (failure instanceof UnrecognizedPropertyException unknown) {
      return field(path(unknown), "is not a field of this request");
    }
    if (failure instanceof InvalidFormatException format
        && format.getTargetType() != null
        && format.getTargetType().isEnum()) {
      return field(path(format), "must be one of " + allowed(format.getTargetType()));
    }
    if (failure instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      return field(path(mapping), "has the wrong type or format");
    }
    if (failure instanceof JsonParseException && failure.getLocation() != null) {
      return answer(
          ProblemType.BAD_REQUEST,
          "the body is not valid JSON at line %d, column %d"
              .formatted(failure.getLocation().getLineNr(), failure.getLocation().getColumnNr()),
          List.of());
    }
    return answer(ProblemType.BAD_REQUEST, "the body is not the expected JSON", List.of());
  }

  private Response field(String field, String message) {
    return refused(Refused.field(field, message));
  }

  private Response answer(ProblemType type, String detail, List<Refused.FieldError> errors) {
    return response(problems.of(request, type, detail, errors), type);
  }

  private Response response(Problem problem, ProblemType type) {
    var response = Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
    if (type.mayPass()) {
      response.header("Retry-After", Problems.RETRY_AFTER_SECONDS);
    }
    if (type == ProblemType.UNAUTHENTICATED) {
      response.header("WWW-Authenticate", Problems.challenge(request));
    }
    return response.build();
  }

  private String describe(ProblemType type) {
    var asked = request.request().method() + " " + request.request().path();
    return switch (type) {
      case NOT_FOUND -> asked + " is not known here; see /q/openapi";
      case UNSUPPORTED_MEDIA_TYPE ->
          asked + " does not take Content-Type " + request.request().getHeader("Content-Type");
      default -> asked + ": " + type.title();
    };
  }

  private static String path(JsonMappingException failure) {
    return failure.getPath().stream()
        .map(
            step ->
                step.getFieldName() == null
                    ? "[" + step.getIndex() + "]"
                    : "." + step.getFieldName())
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }

  private static String allowed(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Object::toString)
        .collect(Collectors.joining(", "));
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
