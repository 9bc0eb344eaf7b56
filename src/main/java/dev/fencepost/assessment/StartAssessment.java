package dev.fencepost.assessment;

import dev.fencepost.asset.AssetStore;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.telemetry.Trace;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Opens a ticket for an asset and runs it, or joins the one that is unfinished. */
@ApplicationScoped
class StartAssessment {

  private final AssetStore assets;
  private final TicketStore tickets;
  private final Running running;

  StartAssessment(AssetStore assets, TicketStore tickets, Running running) {
    this.assets = assets;
    this.tickets = tickets;
    this.running = running;
  }

  /**
   * Starts or joins.
   *
   * @return the ticket as it stands now; fails with {@link Refused} if there is no such asset
   */
  Uni<Ticket> start(String assetId, Trace trace) {
    return assets
        .find(assetId)
        .map(
            found ->
                found.orElseThrow(
                    () -> new Refused(ProblemType.ASSET_NOT_FOUND, "no asset " + assetId)))
        .flatMap(asset -> tickets.open(asset.assetId(), trace, running.hasRoom()))
        .flatMap(this::begin);
  }

  private Uni<Ticket> begin(Opening opening) {
    if (opening instanceof Opening.Opened opened) {
      running.start(opened.run());
      return Uni.createFrom().item(opened.run().ticket());
    }
    if (opening instanceof Opening.Queued queued) {
      return Uni.createFrom().item(queued.ticket());
    }
    var ticketId = ((Opening.Joined) opening).ticketId();
    return tickets
        .find(ticketId)
        .map(
            found ->
                found.orElseThrow(
                    () -> new IllegalStateException("open ticket " + ticketId + " is gone")));
  }
}
