package dev.fencepost.asset;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A host or device with an address and a software inventory.
 *
 * @param address {@code tcp://host:port}, {@code http(s)://…} or {@code heartbeat:}
 */
public record Asset(
    String assetId,
    @Nullable String displayName,
    URI address,
    Exposure exposure,
    @Nullable Criticality criticality,
    Map<String, String> labels,
    Instant createdAt,
    Instant updatedAt) {

  public Asset {
    labels = Map.copyOf(labels);
  }

  /** The same, named in other words. */
  Asset named(@Nullable String otherName, Map<String, String> otherLabels) {
    return new Asset(
        assetId, otherName, address, exposure, criticality, otherLabels, createdAt, updatedAt);
  }
}
