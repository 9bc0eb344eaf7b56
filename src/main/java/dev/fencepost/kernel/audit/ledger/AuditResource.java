package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.fence.Lanes;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.PageLimit;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.HashMap;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Shows history, and whether it is what it was. */
@Path("/v1/audit")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Audit", description = "Who did what, when, with which right; and was it changed?")
class AuditResource {

  private final LedgerView ledger;
  private final VerifyLedger verification;
  private final CheckpointStore checkpoints;
  private final Lanes lanes;

  AuditResource(
      LedgerView ledger, VerifyLedger verification, CheckpointStore checkpoints, Lanes lanes) {
    this.ledger = ledger;
    this.verification = verification;
    this.checkpoints = checkpoints;
    this.lanes = lanes;
  }

  /** Events, newest first. */
  @GET
  @Needs(Permission.AUDIT_READ)
  @Operation(
      summary = "List events, newest first",
      description = "An event is here about a second after it happened.")
  @APIResponse(responseCode = "200", description = "next_page_token is null on the last page")
  public Uni<EventPage> events(
      @Parameter(example = "ticket") @QueryParam("resource_type") @Nullable String resourceType,
      @QueryParam("resource_id") @Nullable String resourceId,
      @QueryParam("user_id") @Nullable String userId,
      @Parameter(example = "STALE_WRITE_REFUSED") @QueryParam("action") @Nullable String action,
      @Parameter(example = "accepted") @QueryParam("outcome") @Nullable String outcome,
      @QueryParam("trace_id") @Nullable String traceId,
      @Parameter(description = "RFC 3339, included") @QueryParam("from") @Nullable String from,
      @Parameter(description = "RFC 3339, not included") @QueryParam("to") @Nullable String to,
      @Parameter(description = "1 to 500, 50 unless given") @QueryParam("limit")
          @Nullable String limit,
      @Parameter(description = "next_page_token of the page before") @QueryParam("page_token")
          @Nullable String pageToken) {
    var equal = new HashMap<String, @Nullable String>();
    equal.put("resource_type", resourceType);
    equal.put("resource_id", resourceId);
    equal.put("user_id", userId);
    equal.put("action", action);
    equal.put("outcome", outcome);
    equal.put("trace_id", traceId);
    var query = new EventQuery(equal, from, to, PageLimit.parse(limit), pageToken);
    return ledger.events(query).map(found -> EventPage.of(found, query.limit()));
  }

  /** Walks the chains. */
  @GET
  @Needs(Permission.AUDIT_READ)
  @Path("verify")
  @Operation(
      summary = "Verify the chains of hashes",
      description =
          "Walks every event of one lane, or of all, against the hashes and the newest signed"
              + " checkpoints, and names the first that does not fit and the kind of damage.")
  public Uni<VerifyAnswer> verify(
      @Parameter(description = "all lanes, unless given") @QueryParam("lane")
          @Nullable String lane) {
    return verification.verify(Optional.ofNullable(lane).map(this::lane));
  }

  /** Signed heads, newest first. */
  @GET
  @Needs(Permission.AUDIT_READ)
  @Path("checkpoints")
  @Operation(
      summary = "List signed heads of the chains, newest first",
      description = "Keep one elsewhere: it shows later if newer rows were cut off.")
  public Uni<CheckpointAnswer.Page> checkpoints(
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("page_token") @Nullable String pageToken) {
    var most = PageLimit.parse(limit);
    return checkpoints
        .newest(before(pageToken), most)
        .map(
            found ->
                new CheckpointAnswer.Page(
                    found.stream().map(CheckpointAnswer::of).toList(),
                    found.size() < most
                        ? null
                        : Long.toString(found.get(found.size() - 1).number())));
  }

  private static long before(@Nullable String pageToken) {
    try {
      return pageToken == null ? Long.MAX_VALUE : Long.parseLong(pageToken);
    } catch (NumberFormatException e) {
      throw Refused.field("page_token", "is not a token that this list gave out");
    }
  }

  private int lane(String text) {
    try {
      var lane = Integer.parseInt(text);
      if (lane >= 0 && lane < lanes.count()) {
        return lane;
      }
    } catch (NumberFormatException e) {
      // answered below, as any other lane that is none
    }
    throw Refused.field("lane", "must be a number from 0 to " + (lanes.count() - 1));
  }
}
