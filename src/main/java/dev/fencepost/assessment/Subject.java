package dev.fencepost.assessment;

import dev.fencepost.asset.Asset;
import dev.fencepost.asset.Inventory;
import java.util.Optional;

/** What is assessed: the asset and, if it has reported one, its inventory. */
record Subject(Asset asset, Optional<Inventory> inventory) {}
