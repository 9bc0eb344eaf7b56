package dev.fencepost.kernel.identity.access;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Open;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenRefused.Reason;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Problems;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ResourceInfo;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

/**
 * The door of every resource method. It opens to anyone only where {@link Open} says so; a method
 * that says nothing is closed to all.
 */
class AccessFilter {

  /** The same for every reason: who asks without proof learns nothing about why. */
  private static final String NOT_PROVEN =
      "a valid access token of this service is needed: Authorization: Bearer …";

  private final ProveCaller proveCaller;
  private final Callers callers;
  private final AuditTrail trail;
  private final RoutingContext request;

  AccessFilter(ProveCaller proveCaller, Callers callers, AuditTrail trail, RoutingContext request) {
    this.proveCaller = proveCaller;
    this.callers = callers;
    this.trail = trail;
    this.request = request;
  }

  /** Runs before any other filter that does something for the caller. */
  @ServerRequestFilter(priority = Priorities.AUTHENTICATION)
  public Uni<Void> admit(ResourceInfo resource) {
    var method = resource.getResourceMethod();
    return method.isAnnotationPresent(Open.class)
        ? Uni.createFrom().voidItem()
        : admit(method.getAnnotation(Needs.class));
  }

  private Uni<Void> admit(@Nullable Needs needs) {
    return Uni.createFrom()
        .deferred(() -> BearerToken.of(request).map(this::prove).orElseGet(AccessFilter::nobody))
        .onFailure(TokenRefused.class)
        .transform(refused -> unauthenticated(refused.reason()))
        .invoke(caller -> callers.admit(request, caller))
        .invoke(caller -> requirePermission(needs, caller))
        .replaceWithVoid();
  }

  private Uni<Caller> prove(String token) {
    return proveCaller
        .prove(token)
        .onFailure(TokenRefused.class)
        .invoke(refused -> Problems.tokenWasInvalid(request));
  }

  private static Uni<Caller> nobody() {
    throw new TokenRefused(Reason.NO_TOKEN);
  }

  private Refused unauthenticated(Reason reason) {
    denied(reason.name().toLowerCase(Locale.ROOT));
    return new Refused(ProblemType.UNAUTHENTICATED, NOT_PROVEN);
  }

  private void requirePermission(@Nullable Needs needs, Caller caller) {
    var open =
        needs != null
            && (needs.value().length == 0
                || Arrays.stream(needs.value()).anyMatch(caller.permissions()::contains));
    if (!open) {
      denied("forbidden");
      throw new Refused(ProblemType.FORBIDDEN, "needs " + described(needs));
    }
  }

  private static String described(@Nullable Needs needs) {
    if (needs == null) {
      return "a permission that nobody has";
    }
    return String.join(
        " or ", Arrays.stream(needs.value()).map(permission -> permission.wire()).toList());
  }

  private void denied(String why) {
    var asked = request.request().method() + " " + request.normalizedPath();
    trail.append(
        new AuditEvent("ACCESS_DENIED", why, "endpoint", asked, callers.origin(request), Map.of()));
  }
}
