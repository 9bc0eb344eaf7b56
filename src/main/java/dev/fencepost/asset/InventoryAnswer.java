package dev.fencepost.asset;

import java.time.Instant;
import java.util.List;

/** An inventory as a client sees it. */
record InventoryAnswer(List<Item> components, Instant updatedAt) {

  /** One component. */
  record Item(String purl) {}

  static InventoryAnswer of(Inventory inventory) {
    return new InventoryAnswer(
        inventory.components().stream()
            .map(component -> new Item(component.purl().text()))
            .toList(),
        inventory.updatedAt());
  }
}
