package dev.fencepost.assessment.advisory;

import java.util.List;

/**
 * What an advisory source says of an inventory.
 *
 * @param source the source's name, kept as evidence: {@code local} or {@code osv-api}
 */
public record Matches(String source, List<Finding> findings, List<Unevaluated> unevaluated) {

  public Matches {
    findings = List.copyOf(findings);
    unevaluated = List.copyOf(unevaluated);
  }
}
