package dev.fencepost.platform.outgoing;

import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.time.Duration;

/** TCP connections to the outside, opened only to see whether someone accepts them. */
public interface OutgoingTcp {

  /**
   * Connects and hangs up, without sending anything. The address guard applies.
   *
   * @param target {@code tcp://host:port}
   * @param timeout for name lookup and connecting together
   * @return an item once connected; fails with {@link Unreachable} or {@link ForbiddenAddress}
   */
  Uni<Void> connect(URI target, Duration timeout);
}
