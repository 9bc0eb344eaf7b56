package dev.fencepost.live;

import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.PageCursor;
import dev.fencepost.platform.http.PageLimit;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The live sessions of the whole fleet. */
@Path("/v1/live")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Live sessions")
class LiveSessionsResource {

  private final ListLive listLive;

  LiveSessionsResource(ListLive listLive) {
    this.listLive = listLive;
  }

  /** Sessions, newest start first. */
  @GET
  @Needs(Permission.LIVE_CONTROL)
  @Operation(summary = "List live sessions, newest start first")
  @APIResponse(responseCode = "200", description = "next_page_token is null on the last page")
  public Uni<LivePage> list(
      @Parameter(description = "live, stopping or stopped; all unless given") @QueryParam("status")
          @Nullable String status,
      @Parameter(description = "1 to 500, 50 unless given") @QueryParam("limit")
          @Nullable String limit,
      @Parameter(description = "next_page_token of the page before") @QueryParam("page_token")
          @Nullable String pageToken) {
    return listLive.list(
        status == null ? null : status(status),
        PageCursor.parse(pageToken),
        PageLimit.parse(limit));
  }

  private static LiveStatus status(String text) {
    return Arrays.stream(LiveStatus.values())
        .filter(status -> status.word().equals(text))
        .findFirst()
        .orElseThrow(() -> Refused.field("status", "must be live, stopping or stopped"));
  }
}
