package dev.fencepost.assessment.threat;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Threat intelligence from the feeds in memory. */
@ApplicationScoped
class LoadedFeeds implements ThreatIntelligence {

  private final KevCatalog kev;
  private final EpssScores epss;

  LoadedFeeds(KevCatalog kev, EpssScores epss) {
    this.kev = kev;
    this.epss = epss;
  }

  @Override
  public Uni<Enriched> enrich(List<Finding> findings) {
    return Uni.createFrom().item(() -> judge(findings, kev.newest(), epss.newest()));
  }

  /** Both editions are taken once, so that a refresh in between changes nothing for this ticket. */
  private static Enriched judge(
      List<Finding> findings, Optional<KevEntries> entries, Optional<EpssDay> day) {
    return new Enriched(
        findings.stream().map(finding -> judge(finding, entries, day)).toList(),
        entries.isPresent(),
        day.isPresent(),
        entries.map(KevEntries::version).orElse(null),
        day.map(EpssDay::date).orElse(null));
  }

  private static Finding judge(
      Finding finding, Optional<KevEntries> entries, Optional<EpssDay> day) {
    return finding.withThreat(
        entries.map(edition -> edition.ask(finding)).orElse(KnownExploited.UNKNOWN),
        day.map(scores -> scores.ask(finding)).orElse(null));
  }
}
