package dev.fencepost.asset;

import java.time.Instant;
import java.util.List;

/** What software an asset carries, as last reported. */
public record Inventory(List<Component> components, Instant updatedAt) {

  public Inventory {
    components = List.copyOf(components);
  }
}
