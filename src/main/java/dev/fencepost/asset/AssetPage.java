package dev.fencepost.asset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the list of assets.
 *
 * @param nextPageToken null on the last page
 */
record AssetPage(List<AssetAnswer> items, @Nullable String nextPageToken) {

  /** Takes one asset more than the page may hold, if there is one: then there is a next page. */
  static AssetPage of(List<Asset> found, int limit) {
    var items = found.stream().limit(limit).map(AssetAnswer::of).toList();
    return new AssetPage(
        items,
        found.size() > limit ? PageRequest.tokenAfter(items.get(limit - 1).assetId()) : null);
  }
}
