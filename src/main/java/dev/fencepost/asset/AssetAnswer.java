package dev.fencepost.asset;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An asset as a client sees it. */
record AssetAnswer(
    String assetId,
    @Nullable String displayName,
    String address,
    @Nullable String exposure,
    @Nullable String criticality,
    Map<String, String> labels,
    Instant createdAt,
    Instant updatedAt) {

  static AssetAnswer of(Asset asset) {
    return new AssetAnswer(
        asset.assetId(),
        asset.displayName(),
        AssetAddress.write(asset.address()),
        EnumWord.of(asset.exposure()),
        EnumWord.of(asset.criticality()),
        asset.labels(),
        asset.createdAt(),
        asset.updatedAt());
  }
}
