package dev.fencepost.asset;

/** From where an asset can be reached. */
public enum Exposure {
  PUBLIC,
  INTERNAL,
  UNKNOWN
}
