package dev.fencepost.kernel.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.platform.http.Problem;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Problems;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns answers into text that can be kept, and back. */
@ApplicationScoped
class Answers {

  /** Said of every answer to a request with a key: whether it is the stored one. */
  static final String REPLAYED = "X-Idempotent-Replayed";

  private static final Annotation[] NONE = {};

  private final ObjectMapper json;
  private final Problems problems;

  Answers(ObjectMapper json, Problems problems) {
    this.json = json;
    this.problems = problems;
  }

  /**
   * Fixes the bytes of an answer that is about to leave, so that what is stored is what is sent.
   */
  StoredAnswer fix(ContainerResponseContext response) {
    var body = text(response.getEntity());
    if (!body.isEmpty()) {
      response.setEntity(body.getBytes(UTF_8), NONE, typeOf(response));
    }
    var headers = new LinkedHashMap<String, List<String>>();
    response.getStringHeaders().forEach(headers::put);
    response.getHeaders().putSingle(REPLAYED, false);
    return StoredAnswer.of(response.getStatus(), headers, body);
  }

  private static MediaType typeOf(ContainerResponseContext response) {
    var given = response.getMediaType();
    return given == null ? MediaType.APPLICATION_JSON_TYPE.withCharset("UTF-8") : given;
  }

  private String text(@Nullable Object entity) {
    try {
      return entity == null
          ? ""
          : entity instanceof String text ? text : json.writeValueAsString(entity);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that cannot be written", e);
    }
  }

  /** The stored answer, as if it had just been found. */
  static Response replay(StoredAnswer stored) {
    var response = Response.status(stored.status());
    stored.headerList().forEach(header -> response.header(header.getKey(), header.getValue()));
    if (!stored.body().isEmpty()) {
      response.entity(stored.bytes());
    }
    return response.header(REPLAYED, true).build();
  }

  /** Puts the stored answer in the place of another. */
  static void replace(ContainerResponseContext response, StoredAnswer stored) {
    write(response, stored);
    response.getHeaders().putSingle(REPLAYED, true);
  }

  /** Puts a refusal that may pass in the place of an answer. */
  void refuse(
      ContainerResponseContext response, ProblemType type, String detail, RoutingContext request) {
    var headers =
        Map.of(
            HttpHeaders.CONTENT_TYPE, List.of(Problem.MEDIA_TYPE),
            HttpHeaders.RETRY_AFTER, List.of(Problems.RETRY_AFTER_SECONDS));
    var body = text(problems.of(request, type, detail));
    write(response, StoredAnswer.of(type.status(), headers, body));
    response.getHeaders().putSingle(REPLAYED, false);
  }

  private static void write(ContainerResponseContext response, StoredAnswer answer) {
    var type = answer.header(HttpHeaders.CONTENT_TYPE).map(MediaType::valueOf).orElse(null);
    response.setStatus(answer.status());
    response.setEntity(answer.body().isEmpty() ? null : answer.bytes(), NONE, type);
    response.getHeaders().clear();
    answer
        .headerList()
        .forEach(header -> response.getHeaders().add(header.getKey(), header.getValue()));
  }
}
