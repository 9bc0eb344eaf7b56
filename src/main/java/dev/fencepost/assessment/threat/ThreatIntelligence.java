package dev.fencepost.assessment.threat;

import dev.fencepost.assessment.advisory.Finding;
import io.smallrye.mutiny.Uni;
import java.util.List;

/** What is known of the exploitation of flaws. Asking changes nothing, so it may be repeated. */
public interface ThreatIntelligence {

  /**
   * Says of each finding whether it is known to be exploited and how likely it will be. All are
   * judged by the same editions of both feeds. A feed that is not there gives "unknown", never
   * "no".
   */
  Uni<Enriched> enrich(List<Finding> findings);
}
