package dev.fencepost.kernel.idempotency;

import dev.fencepost.kernel.identity.Needs;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.jboss.resteasy.reactive.server.Cancellable;

/** Work that waits until a test lets it go, and counts how often it was begun. */
@Path("/v1/held/{name}")
@Produces(MediaType.APPLICATION_JSON)
class HeldResource {

  private final HeldWork work;

  HeldResource(HeldWork work) {
    this.work = work;
  }

  @POST
  @Needs({})
  @Cancellable(false)
  @Consumes(MediaType.WILDCARD)
  public Uni<Response> work(@PathParam("name") String name, String body) {
    return work.begin(name)
        .map(
            status ->
                Response.status(status)
                    .entity(Map.of("begun", work.begun(name), "echo", body))
                    .build());
  }

  @POST
  @Needs({})
  @Path("bodiless")
  @Cancellable(false)
  public Uni<Map<String, Integer>> bodiless(@PathParam("name") String name) {
    return work.begin(name).map(status -> Map.of("begun", work.begun(name)));
  }

  @POST
  @Needs({})
  @Path("beat")
  @IdempotentByNature
  @Cancellable(false)
  public Uni<Void> beat(@PathParam("name") String name) {
    return work.begin(name).replaceWithVoid();
  }
}
