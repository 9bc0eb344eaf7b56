package dev.fencepost.assessment;

import dev.fencepost.asset.AssetStore;
import dev.fencepost.kernel.audit.Origin;
import dev.fencepost.platform.http.ProblemType;
import dev.fencepost.platform.http.Refused;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Opens a ticket for an asset and runs it, or joins the one that is unfinished. */
@ApplicationScoped
class StartAssessment {

  private final AssetStore assets;
  private final TicketStore tickets;
  private final TicketViewStore views;
  private final Running running;

  StartAssessment(AssetStore assets, TicketStore tickets, TicketViewStore views, Running running) {
    this.assets = assets;
    this.tickets = tickets;
    this.views = views;
    this.running = running;
  }

  /**
   * Starts or joins.
   *
   * @param id the last part of the ticket's id: the same one finds the ticket it has opened
   * @param force opens a new ticket though a finished one is fresh
   * @return the ticket as it stands now, or what is fresh; fails with {@link Refused} if there is
   *     no such asset
   */
  Uni<Started> start(String assetId, String id, Origin origin, boolean force) {
    return assets
        .find(assetId)
        .map(
            found ->
                found.orElseThrow(
                    () -> new Refused(ProblemType.ASSET_NOT_FOUND, "no asset " + assetId)))
        .flatMap(asset -> tickets.open(asset.assetId(), id, origin, running.hasRoom(), force))
        .flatMap(this::begin);
  }

  private Uni<Started> begin(Opening opening) {
    if (opening instanceof Opening.Fresh fresh) {
      return Uni.createFrom().item(new Started.Known(fresh.json()));
    }
    if (opening instanceof Opening.Joined joined) {
      return views.find(joined.ticketId()).map(found -> joined(found, joined.ticketId()));
    }
    if (opening instanceof Opening.Opened opened) {
      running.start(opened.run());
      return Uni.createFrom().item(new Started.Unfinished(opened.run().ticket()));
    }
    return Uni.createFrom().item(new Started.Unfinished(((Opening.Queued) opening).ticket()));
  }

  private static Started joined(Optional<Ticket> found, String ticketId) {
    return new Started.Unfinished(
        found.orElseThrow(() -> new IllegalStateException("open ticket " + ticketId + " is gone")));
  }
}
