package dev.fencepost.asset;

import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.RedisUnavailable;
import dev.fencepost.platform.telemetry.LogFacts;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** Tells every {@link AssetListener}, one after the other. */
@ApplicationScoped
class AssetListeners {

  private static final Logger LOG = Logger.getLogger(AssetListeners.class);

  private final List<AssetListener> listeners;

  AssetListeners(@All List<AssetListener> listeners) {
    this.listeners = listeners;
  }

  Uni<Void> tell(String assetId) {
    return Multi.createFrom()
        .iterable(listeners)
        .onItem()
        .transformToUniAndConcatenate(listener -> tell(listener, assetId))
        .onItem()
        .ignoreAsUni();
  }

  private static Uni<Void> tell(AssetListener listener, String assetId) {
    return listener
        .assetChanged(assetId)
        .onFailure(Refused.class)
        .recoverWithUni(failure -> missed(listener, assetId, failure))
        .onFailure(RedisUnavailable.class)
        .recoverWithUni(failure -> missed(listener, assetId, failure));
  }

  private static Uni<Void> missed(AssetListener listener, String assetId, Throwable failure) {
    LogFacts.log(
        LOG,
        Level.WARN,
        () -> LogFacts.NONE.device(assetId),
        "%s did not hear that asset %s changed: %s",
        listener.getClass().getSimpleName(),
        assetId,
        failure.getMessage());
    return Uni.createFrom().voidItem();
  }
}
