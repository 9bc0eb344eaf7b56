package dev.fencepost.assessment.threat;

import dev.fencepost.assessment.advisory.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Findings with what threat intelligence says of them, and what it was asked.
 *
 * @param kevAvailable whether a catalogue was at hand at all
 * @param epssAvailable whether scores were at hand at all
 * @param kevCatalogVersion of the catalogue in use, if it says
 * @param epssDate of the scores in use, if they say
 */
public record Enriched(
    List<Finding> findings,
    boolean kevAvailable,
    boolean epssAvailable,
    @Nullable String kevCatalogVersion,
    @Nullable String epssDate) {

  public Enriched {
    findings = List.copyOf(findings);
  }
}
