package dev.fencepost.asset;

import static dev.fencepost.platform.http.ProblemType.BAD_REQUEST;

import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Registers assets. */
@Path("/v1/assets")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Assets", description = "What the fleet consists of, and the software it carries")
class AssetResource {

  /** Conditions of one list; each one is a look into the index. */
  private static final int MAX_CONDITIONS = 16;

  private final AssetStore assets;
  private final AssetChanges changes;
  private final Mask mask;

  AssetResource(AssetStore assets, AssetChanges changes, Mask mask) {
    this.assets = assets;
    this.changes = changes;
    this.mask = mask;
  }

  /** Creates an asset or replaces the whole of it, save its inventory. */
  @PUT
  @Needs(Permission.ASSETS_WRITE)
  @Path("{asset_id}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(summary = "Create an asset, or replace it; its inventory stays")
  @RequestBody(
      content =
          @Content(
              schema = @Schema(implementation = AssetRequest.class),
              examples =
                  @ExampleObject(
                      name = "camera gateway",
                      value =
                          """
                          {"display_name": "Camera gateway, hall 3", "address": "tcp://10.20.0.7:554",
                           "exposure": "internal", "criticality": "high", "labels": {"site": "berlin"}}
                          """)))
  @APIResponseSchema(value = AssetAnswer.class, responseDescription = "Replaced")
  @APIResponse(
      responseCode = "201",
      description = "Created; Location names it",
      content = @Content(schema = @Schema(implementation = AssetAnswer.class)))
  @APIResponse(responseCode = "400", description = "Every invalid field is named in errors")
  public Uni<RestResponse<AssetAnswer>> put(
      @PathParam("asset_id") String assetId, @Nullable AssetRequest asset, RoutingContext request) {
    AssetId.require(assetId);
    if (asset == null) {
      throw new Refused(BAD_REQUEST, "the body is empty; it must describe the asset");
    }
    return assets
        .put(withoutSecrets(asset.toAsset(assetId, changes.now())))
        .call(
            stored ->
                changes.tell(
                    "ASSET_PUT",
                    assetId,
                    Map.of("created", Boolean.toString(stored.created())),
                    request))
        .map(AssetResource::answer);
  }

  /**
   * What people write into names and labels is kept for ever, and is no place for a secret. An
   * address that was masked would lead nowhere: it is refused.
   */
  private Asset withoutSecrets(Asset asset) {
    var address = AssetAddress.write(asset.address());
    if (!mask.text(address).equals(address)) {
      throw Refused.field("address", "must not carry a secret: it is stored and shown as it is");
    }
    var name = asset.displayName();
    return asset.named(name == null ? null : mask.text(name), mask.fields(asset.labels()));
  }

  /** One asset. */
  @GET
  @Needs(Permission.ASSETS_READ)
  @Path("{asset_id}")
  @Operation(summary = "Read an asset")
  @APIResponseSchema(AssetAnswer.class)
  @APIResponse(responseCode = "404", description = "No such asset")
  public Uni<AssetAnswer> get(@PathParam("asset_id") String assetId) {
    return assets
        .find(AssetId.require(assetId))
        .map(found -> AssetAnswer.of(found.orElseThrow(() -> AssetId.unknown(assetId))));
  }

  /** Assets by label, in the order of their ids. */
  @GET
  @Needs(Permission.ASSETS_READ)
  @Operation(summary = "List assets, in the order of their ids")
  @APIResponse(responseCode = "200", description = "next_page_token is null on the last page")
  public Uni<AssetPage> list(
      @Parameter(
              description = "key:value; given more than once, all must hold",
              example = "site:berlin")
          @QueryParam("label")
          List<String> labels,
      @Parameter(
              schema =
                  @Schema(
                      type = SchemaType.INTEGER,
                      minimum = "1",
                      maximum = "500",
                      defaultValue = "50"))
          @QueryParam("limit")
          @Nullable String limit,
      @Parameter(description = "next_page_token of the page before") @QueryParam("page_token")
          @Nullable String pageToken) {
    if (labels.size() > MAX_CONDITIONS) {
      throw Refused.field("label", "must be given at most " + MAX_CONDITIONS + " times");
    }
    var page = PageRequest.of(limit, pageToken);
    return assets
        .list(labels.stream().map(Label::parse).toList(), page.after(), page.limit() + 1)
        .map(found -> AssetPage.of(found, page.limit()));
  }

  /** Forgets an asset. */
  @DELETE
  @Needs(Permission.ASSETS_WRITE)
  @Path("{asset_id}")
  @Operation(summary = "Delete an asset and its inventory; its tickets and history stay")
  @APIResponse(responseCode = "204", description = "Deleted")
  @APIResponse(responseCode = "404", description = "No such asset, or it was deleted before")
  public Uni<Void> delete(@PathParam("asset_id") String assetId, RoutingContext request) {
    return assets
        .delete(AssetId.require(assetId))
        .invoke(existed -> AssetId.requireExisting(existed, assetId))
        .flatMap(existed -> changes.tell("ASSET_DELETED", assetId, Map.of(), request));
  }

  private static RestResponse<AssetAnswer> answer(AssetStore.Stored stored) {
    var answer = AssetAnswer.of(stored.asset());
    return stored.created()
        ? ResponseBuilder.create(RestResponse.Status.CREATED, answer)
            .header("Location", "/v1/assets/" + answer.assetId())
            .build()
        : RestResponse.ok(answer);
  }
}
