package dev.fencepost.assessment;

import dev.fencepost.asset.AssetListener;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** A finished ticket speaks of the asset as it was: once the asset changes, it is not fresh. */
@ApplicationScoped
class ForgetFreshAnswer implements AssetListener {

  private final TicketViewStore tickets;

  ForgetFreshAnswer(TicketViewStore tickets) {
    this.tickets = tickets;
  }

  @Override
  public Uni<Void> assetChanged(String assetId) {
    return tickets.forgetFresh(assetId);
  }
}
