package dev.fencepost.kernel.audit.ledger;

import dev.fencepost.kernel.fence.Lane;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Moves a lane's events to the ledger when a test says so. */
@ApplicationScoped
public class ProjectByHand {

  private final ProjectLane projection;

  ProjectByHand(ProjectLane projection) {
    this.projection = projection;
  }

  /** Moves all there is. */
  public void project(Lane lane) {
    projection.project(lane).await().atMost(Duration.ofSeconds(30));
  }
}
