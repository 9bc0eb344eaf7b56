package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.fence.LeaseKeeper;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.lifecycle.InFlight;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Lets a request begin under its claim, and stores its answer before that leaves. */
@Startup // so that what it counts is shown at 0
@ApplicationScoped
class KeepAnswer {

  private static final Logger LOG = Logger.getLogger(KeepAnswer.class);
  private static final int SERVER_ERROR = 500;
  private static final int TOO_MANY_REQUESTS = 429;

  private static final List<String> OUTCOMES =
      List.of("first", "taken_over", "replayed", "mismatch", "conflict", "stale");

  private final AnswerStore store;
  private final Answers answers;
  private final LeaseKeeper keeper;
  private final InFlight inFlight;
  private final Callers callers;
  private final IdempotencySettings settings;
  private final MeterRegistry metrics;

  KeepAnswer(
      AnswerStore store,
      Answers answers,
      LeaseKeeper keeper,
      InFlight inFlight,
      Callers callers,
      IdempotencySettings settings,
      MeterRegistry metrics) {
    this.store = store;
    this.answers = answers;
    this.keeper = keeper;
    this.inFlight = inFlight;
    this.callers = callers;
    this.settings = settings;
    this.metrics = metrics;
    OUTCOMES.forEach(this::outcomes);
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
      return Answers.replay(done.answer());
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
    inFlight.start(
        "request with key", () -> facts(flight), keeper.whileHeld(claim.lease(), flight.work()));
  }

  /** Stores what is about to be answered, or lets go of the key if that is no answer to keep. */
  Uni<Void> end(Flight flight, ContainerResponseContext response, RoutingContext request) {
    var answer = answers.fix(response);
    return (isKept(answer, flight)
            ? store.complete(flight.claim, answer, flight.origin)
            : store.letGo(flight.claim, flight.origin))
        .flatMap(completion -> obey(completion, flight, response, request))
        .onFailure(RedisUnavailable.class)
        .invoke(
            away ->
                answers.refuse(
                    response, ProblemType.UNAVAILABLE, "the answer was not stored", request))
        .onFailure(RedisUnavailable.class)
        .recoverWithNull()
        .onTermination()
        .invoke(flight::land);
  }

  private static LogFacts facts(Flight flight) {
    return flight.claim.lease().facts().trace(flight.origin.trace());
  }

  private boolean isKept(StoredAnswer answer, Flight flight) {
    if (answer.status() >= SERVER_ERROR || answer.status() == TOO_MANY_REQUESTS) {
      return false;
    }
    if (answer.body().length() > settings.maxAnswer().asLongValue()) {
      LogFacts.log(
          LOG,
          Level.WARN,
          () -> facts(flight),
          "an answer of %d characters is too long to keep",
          answer.body().length());
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
        yield whatStands(flight, response, request);
      }
    };
  }

  private Uni<Void> whatStands(
      Flight flight, ContainerResponseContext response, RoutingContext request) {
    return store
        .answer(flight.claim)
        .invoke(
            stands ->
                stands.ifPresentOrElse(
                    stored -> Answers.replace(response, stored),
                    () ->
                        answers.refuse(
                            response,
                            ProblemType.IDEMPOTENCY_KEY_IN_PROGRESS,
                            "another attempt has taken this request over, or may do so",
                            request)))
        .replaceWithVoid();
  }

  private void count(String outcome) {
    outcomes(outcome).increment();
  }

  private Counter outcomes(String outcome) {
    return metrics.counter("fencepost.idempotency", "outcome", outcome);
  }
}
