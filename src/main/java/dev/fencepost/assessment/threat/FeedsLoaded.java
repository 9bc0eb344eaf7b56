package dev.fencepost.assessment.threat;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * Started means: both feeds were loaded, or asked for once in vain. A decision without them says
 * so; a source that is away for an hour must not keep the service away with it.
 */
@Startup
@ApplicationScoped
class FeedsLoaded implements AsyncHealthCheck {

  private final KevCatalog kev;
  private final EpssScores epss;

  FeedsLoaded(KevCatalog kev, EpssScores epss) {
    this.kev = kev;
    this.epss = epss;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return Uni.createFrom()
        .item(
            () ->
                HealthCheckResponse.named("feeds")
                    .status(kev.isLookedAt() && epss.isLookedAt())
                    .withData("kev", kev.describe())
                    .withData("epss", epss.describe())
                    .build());
  }
}
