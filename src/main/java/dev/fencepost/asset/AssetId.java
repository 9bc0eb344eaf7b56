package dev.fencepost.asset;

import dev.fencepost.platform.http.Identifier;

/** What an asset may be called. */
public final class AssetId {

  private AssetId() {}

  public static boolean isValid(String text) {
    return Identifier.isValid(text);
  }

  public static String require(String text) {
    return Identifier.require("asset_id", text);
  }
}
