package dev.fencepost.assessment.advisory;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * Started means: the advisories were read, or cannot be. The latter is told and not waited for:
 * restarting would not mend them.
 */
@Startup
@ApplicationScoped
class AdvisoriesLoaded implements AsyncHealthCheck {

  private final LocalAdvisories advisories;

  AdvisoriesLoaded(LocalAdvisories advisories) {
    this.advisories = advisories;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return Uni.createFrom()
        .item(
            () ->
                HealthCheckResponse.named("advisories")
                    .status(advisories.isLookedAt())
                    .withData("state", advisories.describe())
                    .build());
  }
}
