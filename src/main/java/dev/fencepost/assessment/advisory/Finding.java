package dev.fencepost.assessment.advisory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One flaw in one component. All ids of one alias group are one finding.
 *
 * @param vulnerabilityId the group's id that people know best
 * @param aliases the other ids of the same flaw
 * @param upstream ids of the flaws a distribution's advisory is about (CVE and others); not the
 *     same flaw, but what threat intelligence is asked for too
 * @param purl as the inventory gave it
 * @param cvssScore in [0, 10], of the full vector
 * @param fixedVersions versions that are no longer affected, of the interval the component lies in
 * @param notes what a person should know about how this was judged
 * @param epss probability of exploitation within 30 days, in [0, 1]
 */
public record Finding(
    String vulnerabilityId,
    List<String> aliases,
    List<String> upstream,
    String purl,
    Severity severity,
    @Nullable Double cvssScore,
    @Nullable String cvssVector,
    List<String> fixedVersions,
    List<String> notes,
    KnownExploited knownExploited,
    @Nullable Double epss) {

  public Finding {
    aliases = List.copyOf(aliases);
    upstream = List.copyOf(upstream);
    fixedVersions = List.copyOf(fixedVersions);
    notes = List.copyOf(notes);
    if (cvssScore != null && !(cvssScore >= 0 && cvssScore <= 10)) {
      throw new IllegalArgumentException("a CVSS score lies in [0, 10], but was " + cvssScore);
    }
    if (epss != null && !(epss >= 0 && epss <= 1)) {
      throw new IllegalArgumentException("an EPSS score lies in [0, 1], but was " + epss);
    }
  }

  /** The same flaw, with what threat intelligence says of it. */
  public Finding withThreat(KnownExploited exploited, @Nullable Double probability) {
    return new Finding(
        vulnerabilityId,
        aliases,
        upstream,
        purl,
        severity,
        cvssScore,
        cvssVector,
        fixedVersions,
        notes,
        exploited,
        probability);
  }
}
