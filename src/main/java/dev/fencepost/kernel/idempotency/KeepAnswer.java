package dev.fencepost.kernel.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.platform.http.Problem;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Problems;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Lets a request begin under its claim, and stores its answer before that leaves. */
@ApplicationScoped
class KeepAnswer {

  private static final Logger LOG = Logger.getLogger(KeepAnswer.class);
  private static final int SERVER_ERROR = 500;
  private static final int TOO_MANY_REQUESTS = 429;

  private final AnswerStore answers;
  private final LeaseKeeper keeper;
  private final InFlight inFlight;
  private final Callers callers;
  private final Problems problems;
  private final ObjectMapper json;
  private final IdempotencySettings settings;
  private final MeterRegistry metrics;

  KeepAnswer(
      AnswerStore answers,
      LeaseKeeper keeper,
      InFlight inFlight,
      Callers callers,
      Problems problems,
      ObjectMapper json,
      IdempotencySettings settings,
      MeterRegistry metrics) {
    this.answers = answers;
    this.keeper = keeper;
    this.inFlight = inFlight;
    this.callers = callers;
    this.problems = problems;
    this.json = json;
    this.settings = settings;
    this.metrics = metrics;
  }

  /** The answer, if there is one without any work; null lets the request through. */
  @Nullable Response begin(Claimed claimed, RoutingContext request) {
    if (claimed instanceof Claimed.Granted granted) {
      count(granted.takenOver() ? "taken_over" : "first");
      takeOff(granted.claim(), request);
      return null;
    }
    if (claimed instanceof Claimed.Completed done) {
      count("replayed");
      return replay(done.answer());
    }
    if (claimed instanceof Claimed.Mismatch) {
      count("mismatch");
      throw new Refused(
          ProblemType.IDEMPOTENCY_KEY_REUSED,
          "this key came before, with another method, path, query, content type or body");
    }
    count("conflict");
    throw new Refused(
        ProblemType.IDEMPOTENCY_KEY_IN_PROGRESS,
        "repeat the request later, or with Prefer: wait=N, to get its answer");
  }

  private void takeOff(Claim claim, RoutingContext request) {
    var flight = new Flight(claim, callers.origin(request));
    Flights.put(request, flight);
    // An answer that was sent is over in any case; a client that went away changes nothing.
    request.addEndHandler(
        sent -> {
          if (sent.succeeded()) {
            flight.land();
          }
        });
    inFlight.start("request with key", keeper.whileHeld(claim.lease(), flight.work()));
  }

  private static Response replay(StoredAnswer stored) {
    var response = Response.status(stored.status());
    stored.headerList().forEach(header -> response.header(header.getKey(), header.getValue()));
    if (!stored.body().isEmpty()) {
      response.entity(stored.bytes());
    }
    return response.header(IdempotencyFilter.REPLAYED, true).build();
  }

  /** Stores what is about to be answered, or lets go of the key if that is no answer to keep. */
  Uni<Void> end(Flight flight, ContainerResponseContext response, RoutingContext request) {
    var answer = answer(response);
    response.getHeaders().putSingle(IdempotencyFilter.REPLAYED, false);
    return (isKept(answer)
            ? answers.complete(flight.claim, answer, flight.origin)
            : answers.letGo(flight.claim, flight.origin))
        .flatMap(completion -> obey(completion, flight, response, request))
        .onFailure(RedisUnavailable.class)
        .invoke(
            away -> refuse(ProblemType.UNAVAILABLE, "the answer was not stored", response, request))
        .onFailure(RedisUnavailable.class)
        .recoverWithNull()
        .onTermination()
        .invoke(flight::land);
  }

  private boolean isKept(StoredAnswer answer) {
    if (answer.status() >= SERVER_ERROR || answer.status() == TOO_MANY_REQUESTS) {
      return false;
    }
    if (answer.body().length() > settings.maxAnswer().asLongValue()) {
      LOG.warnf("an answer of %d characters is too long to keep", answer.body().length());
      return false;
    }
    return true;
  }

  /** Who comes too late answers with what stands, never with what it found itself. */
  private Uni<Void> obey(
      Completion completion,
      Flight flight,
      ContainerResponseContext response,
      RoutingContext request) {
    return switch (completion) {
      case COMPLETED, RELEASED -> Uni.createFrom().voidItem();
      case NOT_FOUND, STALE_TOKEN, LEASE_LOST -> {
        count("stale");
        metrics.counter("fencepost.stale.writes.refused", "answer", completion.name()).increment();
        yield answers
            .answer(flight.claim)
            .invoke(
                stands ->
                    stands.ifPresentOrElse(
                        stored -> write(stored, response),
                        () ->
                            refuse(
                                ProblemType.IDEMPOTENCY_KEY_IN_PROGRESS,
                                "another attempt has taken this request over",
                                response,
                                request)))
            .replaceWithVoid();
      }
    };
  }

  private StoredAnswer answer(ContainerResponseContext response) {
    var body = text(response.getEntity());
    if (!body.isEmpty()) {
      response.setEntity(
          body.getBytes(java.nio.charset.StandardCharsets.UTF_8),
          new Annotation[0],
          type(response.getMediaType()));
    }
    var headers = new LinkedHashMap<String, List<String>>();
    response.getStringHeaders().forEach(headers::put);
    return StoredAnswer.of(response.getStatus(), headers, body);
  }

  private static MediaType type(@Nullable MediaType given) {
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

  private static void write(StoredAnswer stored, ContainerResponseContext response) {
    response.setStatus(stored.status());
    response.getHeaders().clear();
    stored
        .headerList()
        .forEach(header -> response.getHeaders().add(header.getKey(), header.getValue()));
    response.getHeaders().putSingle(IdempotencyFilter.REPLAYED, true);
    response.setEntity(
        stored.body().isEmpty() ? null : stored.bytes(),
        new Annotation[0],
        stored.header(HttpHeaders.CONTENT_TYPE).map(MediaType::valueOf).orElse(null));
  }

  private void refuse(
      ProblemType type, String detail, ContainerResponseContext response, RoutingContext request) {
    write(
        StoredAnswer.of(
            type.status(),
            Map.of(
                HttpHeaders.CONTENT_TYPE,
                List.of(Problem.MEDIA_TYPE),
                HttpHeaders.RETRY_AFTER,
                List.of(Problems.RETRY_AFTER_SECONDS)),
            text(problems.of(request, type, detail))),
        response);
    response.getHeaders().putSingle(IdempotencyFilter.REPLAYED, false);
  }

  private void count(String outcome) {
    metrics.counter("fencepost.idempotency", "outcome", outcome).increment();
  }
}
