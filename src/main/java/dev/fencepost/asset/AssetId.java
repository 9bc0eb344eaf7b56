package dev.fencepost.asset;

import dev.fencepost.platform.http.Identifier;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;

/** What an asset may be called. */
public final class AssetId {

  private AssetId() {}

  public static boolean isValid(String text) {
    return Identifier.isValid(text);
  }

  public static String require(String text) {
    return Identifier.require("asset_id", text);
  }

  static void requireExisting(boolean exists, String assetId) {
    if (!exists) {
      throw unknown(assetId);
    }
  }

  static Refused unknown(String assetId) {
    return new Refused(ProblemType.ASSET_NOT_FOUND, "there is no asset " + assetId);
  }
}
