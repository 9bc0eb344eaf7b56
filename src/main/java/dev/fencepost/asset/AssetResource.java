package dev.fencepost.asset;

import static dev.fencepost.platform.http.ProblemType.ASSET_NOT_FOUND;
import static dev.fencepost.platform.http.ProblemType.BAD_REQUEST;
import static dev.fencepost.platform.http.ProblemType.INVENTORY_NOT_FOUND;

import dev.fencepost.kernel.audit.AuditEvent;
import dev.fencepost.kernel.audit.AuditTrail;
import dev.fencepost.kernel.audit.Mask;
import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import dev.fencepost.platform.time.Entropy;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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

/** Registers assets and takes their inventories. */
@Path("/v1/assets")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Assets", description = "What the fleet consists of, and the software it carries")
class AssetResource {

  private static final String CYCLONE_DX = "application/vnd.cyclonedx+json";

  /** Conditions of one list; each one is a look into the index. */
  private static final int MAX_CONDITIONS = 16;

  private final AssetStore assets;
  private final AssetListeners listeners;
  private final InventorySettings settings;
  private final Entropy entropy;
  private final AuditTrail trail;
  private final Callers callers;
  private final Mask mask;

  AssetResource(
      AssetStore assets,
      AssetListeners listeners,
      InventorySettings settings,
      Entropy entropy,
      AuditTrail trail,
      Callers callers,
      Mask mask) {
    this.assets = assets;
    this.listeners = listeners;
    this.settings = settings;
    this.entropy = entropy;
    this.trail = trail;
    this.callers = callers;
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
        .put(masked(asset.toAsset(assetId, now())))
        .invoke(
            stored ->
                record(
                    "ASSET_PUT",
                    assetId,
                    Map.of("created", Boolean.toString(stored.created())),
                    request))
        .call(() -> listeners.tell(assetId))
        .map(AssetResource::answer);
  }

  /** What people write into names and labels is kept for ever, and is no place for a secret. */
  private Asset masked(Asset asset) {
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
        .map(found -> AssetAnswer.of(found.orElseThrow(() -> unknown(assetId))));
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
        .invoke(existed -> requireAsset(existed, assetId))
        .invoke(existed -> record("ASSET_DELETED", assetId, Map.of(), request))
        .flatMap(existed -> listeners.tell(assetId));
  }

  /** Replaces an inventory by what an SBOM lists. */
  @PUT
  @Needs(Permission.ASSETS_WRITE)
  @Path("{asset_id}/inventory")
  @Consumes(CYCLONE_DX)
  @Operation(
      summary = "Report what an asset carries",
      description =
          "CycloneDX 1.2 to 1.7 in JSON, or a plain list of purls. The root component and nested"
              + " ones count; a purl that is listed twice counts once; a component without a usable"
              + " purl is in skipped, with the reason. The report replaces the one before, or"
              + " changes nothing.")
  @RequestBody(
      content = @Content(mediaType = CYCLONE_DX, schema = @Schema(type = SchemaType.OBJECT)))
  @APIResponse(responseCode = "404", description = "No such asset")
  public Uni<InventoryReceipt> putCycloneDx(
      @PathParam("asset_id") String assetId, byte[] body, RoutingContext request) {
    return replace(assetId, () -> CycloneDx.read(body, settings.maxComponents()), request);
  }

  /** Replaces an inventory by a plain list. */
  @PUT
  @Needs(Permission.ASSETS_WRITE)
  @Path("{asset_id}/inventory")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(type = SchemaType.OBJECT),
              examples =
                  @ExampleObject(
                      name = "two components",
                      value =
                          """
                          {"components": [{"purl": "pkg:npm/lodash@4.17.20"},
                                          {"purl": "pkg:pypi/django@3.2.1"}]}
                          """)))
  public Uni<InventoryReceipt> putList(
      @PathParam("asset_id") String assetId, byte[] body, RoutingContext request) {
    return replace(assetId, () -> ComponentList.read(body, settings.maxComponents()), request);
  }

  /** What was reported last. */
  @GET
  @Needs(Permission.ASSETS_READ)
  @Path("{asset_id}/inventory")
  @Operation(summary = "Read what an asset carries, as last reported")
  @APIResponseSchema(InventoryAnswer.class)
  @APIResponse(responseCode = "404", description = "No such asset, or nothing was reported yet")
  public Uni<InventoryAnswer> inventory(@PathParam("asset_id") String assetId) {
    return assets
        .inventory(AssetId.require(assetId))
        .flatMap(found -> found.isPresent() ? shown(found.get()) : missing(assetId));
  }

  private Uni<InventoryReceipt> replace(
      String assetId, Supplier<ReportedSoftware> report, RoutingContext request) {
    AssetId.require(assetId);
    return OffTheLoop.compute(report).flatMap(software -> replace(assetId, software, request));
  }

  private Uni<InventoryReceipt> replace(
      String assetId, ReportedSoftware software, RoutingContext request) {
    return assets
        .putInventory(assetId, new Inventory(software.components(), now()))
        .invoke(existed -> requireAsset(existed, assetId))
        .invoke(existed -> record("INVENTORY_PUT", assetId, counts(software), request))
        .call(() -> listeners.tell(assetId))
        .map(existed -> new InventoryReceipt(software.components().size(), software.skipped()));
  }

  private Uni<InventoryAnswer> missing(String assetId) {
    return assets
        .find(assetId)
        .map(
            asset -> {
              requireAsset(asset.isPresent(), assetId);
              throw new Refused(
                  INVENTORY_NOT_FOUND, "no inventory was reported for asset " + assetId + " yet");
            });
  }

  private void record(
      String action, String assetId, Map<String, String> details, RoutingContext request) {
    trail.append(
        new AuditEvent(action, "accepted", "asset", assetId, callers.origin(request), details));
  }

  private static Map<String, String> counts(ReportedSoftware software) {
    return Map.of(
        "components", Integer.toString(software.components().size()),
        "skipped", Integer.toString(software.skipped().size()));
  }

  private static Uni<InventoryAnswer> shown(Inventory inventory) {
    return Uni.createFrom().item(InventoryAnswer.of(inventory));
  }

  private static RestResponse<AssetAnswer> answer(AssetStore.Stored stored) {
    var answer = AssetAnswer.of(stored.asset());
    return stored.created()
        ? ResponseBuilder.create(RestResponse.Status.CREATED, answer)
            .header("Location", "/v1/assets/" + answer.assetId())
            .build()
        : RestResponse.ok(answer);
  }

  private static void requireAsset(boolean exists, String assetId) {
    if (!exists) {
      throw unknown(assetId);
    }
  }

  private static Refused unknown(String assetId) {
    return new Refused(ASSET_NOT_FOUND, "there is no asset " + assetId);
  }

  /** To the millisecond, as answers show times: what is stored is then what was said. */
  private Instant now() {
    return entropy.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
