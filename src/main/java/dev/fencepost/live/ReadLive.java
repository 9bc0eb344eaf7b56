package dev.fencepost.live;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Reads a device's newest session from Redis, or from the ledger once Redis has forgotten it. */
@ApplicationScoped
class ReadLive {

  private final LiveViewStore sessions;
  private final LiveLedgerStore ledger;

  ReadLive(LiveViewStore sessions, LiveLedgerStore ledger) {
    this.sessions = sessions;
    this.ledger = ledger;
  }

  /** Empty if it never had one. */
  Uni<Optional<LiveSession>> newest(String deviceId) {
    return sessions
        .newest(deviceId)
        .flatMap(
            found -> found.isPresent() ? Uni.createFrom().item(found) : ledger.newest(deviceId));
  }
}
