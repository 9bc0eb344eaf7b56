package dev.fencepost.assessment.threat;

import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.time.Entropy;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/** FIRST's daily estimate of how likely each flaw is to be exploited. */
@ApplicationScoped
class EpssScores {

  private static final String SAMPLE = "/samples/epss/epss_scores-sample.csv";

  private final Feed<EpssDay> feed;

  EpssScores(EpssConfig config, OutgoingHttp http, Entropy entropy, MeterRegistry metrics) {
    var location = FeedLocation.of(config.location(), SAMPLE);
    feed = new Feed<>("epss", location, config, EpssCsv::read, http, entropy, metrics);
    feed.gauge("fencepost_epss_scores", metrics, day -> day.scores().size());
  }

  void loadAtStart(@Observes StartupEvent started) {
    feed.loadAtStart();
  }

  @Scheduled(
      every = "{fencepost.epss.refresh-every}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> keepFresh() {
    return feed.keepFresh();
  }

  /** The day in use; empty as long as none could be loaded. */
  Optional<EpssDay> newest() {
    return feed.newest();
  }

  /** Whether it was loaded, or at least tried to. */
  boolean isLookedAt() {
    return feed.isLookedAt();
  }

  String describe() {
    return feed.describe();
  }
}
