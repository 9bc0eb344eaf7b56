package dev.fencepost.asset;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Bounds on inventories. */
@ConfigMapping(prefix = "fencepost.inventory")
interface InventorySettings {

  /**
   * How many components one report may list. A full container image has some thousands; each one
   * becomes a query at every assessment.
   */
  @WithDefault("50000")
  int maxComponents();
}
