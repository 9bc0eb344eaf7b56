package dev.fencepost.kernel.identity;

import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.telemetry.RequestTrace;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Knows the caller of each request. */
@ApplicationScoped
public class Callers {

  private static final String KEY = Caller.class.getName();

  private final RequestTrace traces;
  private final Mask mask;

  Callers(RequestTrace traces, Mask mask) {
    this.traces = traces;
    this.mask = mask;
  }

  /** The caller; empty on endpoints that are open to anyone. */
  public Optional<Caller> of(RoutingContext request) {
    return Optional.ofNullable(request.get(KEY));
  }

  /** On whose behalf this request writes. */
  public Origin origin(RoutingContext request) {
    return Origin.ofRequest(
        traces.of(request),
        of(request).map(Caller::userId),
        request.request().remoteAddress() == null
            ? null
            : request.request().remoteAddress().hostAddress(),
        Optional.ofNullable(request.request().getHeader("User-Agent"))
            .map(mask::text)
            .orElse(null));
  }

  /** Refuses a caller that is another device than the one it speaks for. */
  public void requireToSpeakFor(String deviceId, RoutingContext request) {
    if (of(request).filter(caller -> caller.maySpeakFor(deviceId)).isEmpty()) {
      throw new Refused(ProblemType.FORBIDDEN, "only " + deviceId + " itself may do this");
    }
  }

  /** Lets a caller in whose token was judged. */
  public void admit(RoutingContext request, Caller caller) {
    request.put(KEY, caller);
  }
}
