package dev.fencepost.assessment.threat;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One edition of CISA's catalogue.
 *
 * @param version as the catalogue calls itself; its CSV form does not say
 */
record KevEntries(@Nullable String version, Set<String> cves) {

  KevEntries {
    cves = Set.copyOf(cves);
    if (cves.isEmpty()) {
      // An empty catalogue would turn every answer into "no".
      throw new UnusableFeed("it names no flaw");
    }
  }

  /** Without a CVE id there is nothing to ask for, so the answer is not "no". */
  KnownExploited ask(Finding finding) {
    var ids = CveIds.of(finding);
    if (ids.isEmpty()) {
      return KnownExploited.UNKNOWN;
    }
    return ids.stream().anyMatch(cves::contains) ? KnownExploited.YES : KnownExploited.NO;
  }

  @Override
  public String toString() {
    return "version " + version + " with " + cves.size() + " entries";
  }
}
