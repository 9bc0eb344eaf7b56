package dev.fencepost.asset;

import io.smallrye.mutiny.Uni;

/**
 * Hears of assets that changed: of the asset itself or its inventory, or that it is gone. Beans of
 * this type are told one after the other, after the change is stored and before the client is
 * answered.
 *
 * <p>The change is a fact by then, so a listener cannot refuse it: a {@code Refused} or {@code
 * RedisUnavailable} from a listener is logged, and the client's answer stays what it was. A
 * listener that must not miss a change reads it from the store instead.
 */
public interface AssetListener {

  Uni<Void> assetChanged(String assetId);
}
