package dev.fencepost.asset;

import static dev.fencepost.platform.http.ProblemType.INVENTORY_NOT_FOUND;

import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.lifecycle.OffTheLoop;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Takes what assets carry, and shows it. */
@Path("/v1/assets/{asset_id}/inventory")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Assets")
class InventoryResource {

  private static final String CYCLONE_DX = "application/vnd.cyclonedx+json";

  private final AssetStore assets;
  private final AssetChanges changes;
  private final InventorySettings settings;

  InventoryResource(AssetStore assets, AssetChanges changes, InventorySettings settings) {
    this.assets = assets;
    this.changes = changes;
    this.settings = settings;
  }

  /** Replaces an inventory by what an SBOM lists. */
  @PUT
  @Needs(Permission.ASSETS_WRITE)
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
        .putInventory(assetId, new Inventory(software.components(), changes.now()))
        .invoke(existed -> AssetId.requireExisting(existed, assetId))
        .call(() -> changes.tell("INVENTORY_PUT", assetId, counts(software), request))
        .map(existed -> new InventoryReceipt(software.components().size(), software.skipped()));
  }

  private Uni<InventoryAnswer> missing(String assetId) {
    return assets
        .find(assetId)
        .map(
            asset -> {
              AssetId.requireExisting(asset.isPresent(), assetId);
              throw new Refused(
                  INVENTORY_NOT_FOUND, "no inventory was reported for asset " + assetId + " yet");
            });
  }

  private static Map<String, String> counts(ReportedSoftware software) {
    return Map.of(
        "components", Integer.toString(software.components().size()),
        "skipped", Integer.toString(software.skipped().size()));
  }

  private static Uni<InventoryAnswer> shown(Inventory inventory) {
    return Uni.createFrom().item(InventoryAnswer.of(inventory));
  }
}
