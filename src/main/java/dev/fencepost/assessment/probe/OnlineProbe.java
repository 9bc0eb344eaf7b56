package dev.fencepost.assessment.probe;

import dev.fencepost.kernel.fence.Effect;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.time.Duration;

/** Asks whether an asset is online. Asking changes nothing, so it may be repeated. */
public interface OnlineProbe {

  /**
   * Probes once.
   *
   * @param address {@code tcp://host:port}, {@code http(s)://…} or {@code heartbeat:}
   * @param assetId whose heartbeat counts for {@code heartbeat:}
   * @param effect identifies the probe to the asset, where the protocol has headers
   * @return an answer with its evidence, also when the asset is not there; fails with {@link
   *     ProbeFailed} when no answer can be had: a name that does not resolve, an address that is
   *     not allowed, a broken exchange, a fault on our side
   */
  Uni<Online> probe(URI address, String assetId, Effect effect, Duration timeout);
}
