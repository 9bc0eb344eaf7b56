package dev.fencepost.asset;

/** How much hangs on an asset, least first. */
public enum Criticality {
  LOW,
  MEDIUM,
  HIGH,
  CRITICAL
}
