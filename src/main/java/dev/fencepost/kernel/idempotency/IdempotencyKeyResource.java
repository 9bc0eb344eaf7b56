package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Says what became of a caller's own keys. */
@Path("/v1/idempotency-keys")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Idempotency", description = "What became of a request whose answer was lost?")
class IdempotencyKeyResource {

  private final AnswerStore answers;
  private final Callers callers;

  IdempotencyKeyResource(AnswerStore answers, Callers callers) {
    this.answers = answers;
    this.callers = callers;
  }

  /** One key. */
  @GET
  @Needs({})
  @Path("{key}")
  @Operation(
      summary = "Ask what became of a key",
      description = "Only the caller's own. The key is given without quotes.")
  @APIResponse(responseCode = "404", description = "No request of this caller came with this key")
  public Uni<KeyStatus> get(@PathParam("key") String key, RoutingContext request) {
    return answers
        .status(callers.of(request).map(Caller::userId).orElse(""), known(key))
        .map(found -> found.orElseThrow(IdempotencyKeyResource::unknown));
  }

  /** What cannot be a key is not known either. */
  private static IdempotencyKey known(String key) {
    try {
      return new IdempotencyKey(key);
    } catch (Refused malformed) {
      throw unknown();
    }
  }

  private static Refused unknown() {
    return new Refused(
        ProblemType.IDEMPOTENCY_KEY_NOT_FOUND, "none of your requests came with this key");
  }
}
