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

/** CISA's catalogue of known exploited vulnerabilities. */
@ApplicationScoped
class KevCatalog {

  private static final String SAMPLE = "/samples/kev/known_exploited_vulnerabilities.json";

  private final Feed<KevEntries> feed;

  KevCatalog(KevConfig config, OutgoingHttp http, Entropy entropy, MeterRegistry metrics) {
    var location = FeedLocation.of(config.location(), SAMPLE);
    Feed.Reader<KevEntries> reader = location.isCsv() ? KevCsv::read : KevJson::read;
    feed = new Feed<>("kev", location, config, reader, http, entropy, metrics);
    feed.gauge("fencepost_kev_entries", metrics, entries -> entries.cves().size());
  }

  void loadAtStart(@Observes StartupEvent started) {
    feed.loadAtStart();
  }

  @Scheduled(
      every = "{fencepost.kev.refresh-every}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> keepFresh() {
    return feed.keepFresh();
  }

  /** The edition in use; empty as long as none could be loaded. */
  Optional<KevEntries> newest() {
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
