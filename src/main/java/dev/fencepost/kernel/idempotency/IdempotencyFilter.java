package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.platform.http.Preference;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.http.Shedding;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Set;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jspecify.annotations.Nullable;

/** Stands before and behind every endpoint that changes something: claim, work, store, answer. */
class IdempotencyFilter {

  private static final Set<String> COVERED = Set.of("POST", "PUT", "PATCH", "DELETE");

  /** After who asks and what they may do: what is refused there is not an answer to the work. */
  private static final int AFTER_IDENTITY = Priorities.USER + 100;

  private final CurrentVertxRequest current;
  private final Callers callers;
  private final ClaimKey claimKey;
  private final KeepAnswer keepAnswer;
  private final IdempotencySettings settings;
  private final Shedding shedding;

  IdempotencyFilter(
      CurrentVertxRequest current,
      Callers callers,
      ClaimKey claimKey,
      KeepAnswer keepAnswer,
      IdempotencySettings settings,
      Shedding shedding) {
    this.current = current;
    this.callers = callers;
    this.claimKey = claimKey;
    this.keepAnswer = keepAnswer;
    this.settings = settings;
    this.shedding = shedding;
  }

  @ServerRequestFilter(readBody = true, priority = AFTER_IDENTITY)
  public @Nullable Uni<Response> before(ResourceInfo endpoint) {
    var request = current.getCurrent();
    if (!isCovered(request, endpoint)) {
      return null;
    }
    var key = IdempotencyKey.of(request.request().headers().getAll(IdempotencyKey.HEADER));
    if (key.isEmpty()) {
      requireNone(request);
      return null;
    }
    return RequestBody.of(request)
        .map(body -> intention(request, key.get(), body))
        .flatMap(
            intention ->
                claimKey.claim(intention, patience(request), () -> shedding.mayWait(request)))
        .map(claimed -> keepAnswer.begin(claimed, request));
  }

  @ServerResponseFilter
  public @Nullable Uni<Void> after(ContainerResponseContext response) {
    var request = current.getCurrent();
    return Flights.of(request)
        .map(flight -> keepAnswer.end(flight, response, request))
        .orElse(null);
  }

  private static boolean isCovered(RoutingContext request, ResourceInfo endpoint) {
    return COVERED.contains(request.request().method().name())
        && request.normalizedPath().startsWith("/v1/")
        && !endpoint.getResourceMethod().isAnnotationPresent(IdempotentByNature.class);
  }

  private void requireNone(RoutingContext request) {
    if (settings.required() && request.request().method().name().equals("POST")) {
      throw new Refused(
          ProblemType.IDEMPOTENCY_KEY_REQUIRED,
          "send an Idempotency-Key of your own, and the same one with every repeat");
    }
  }

  private Intention intention(RoutingContext request, IdempotencyKey key, byte[] body) {
    var http = request.request();
    return Intention.of(
        callers.of(request).map(Caller::userId).orElse(""),
        key,
        http.method().name(),
        orEmpty(http.path()),
        orEmpty(http.query()),
        orEmpty(http.getHeader("Content-Type")),
        body);
  }

  private static String orEmpty(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static Duration patience(RoutingContext request) {
    return Preference.of(request.request().headers().getAll("Prefer"))
        .map(Preference::patience)
        .orElse(Duration.ZERO);
  }
}
