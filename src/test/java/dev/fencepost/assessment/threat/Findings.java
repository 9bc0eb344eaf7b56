package dev.fencepost.assessment.threat;

import dev.fencepost.assessment.advisory.Finding;
import dev.fencepost.assessment.advisory.KnownExploited;
import dev.fencepost.assessment.advisory.Severity;
import java.util.List;

/** Findings as an advisory source gives them. */
final class Findings {

  private Findings() {}

  static Finding of(String id, List<String> aliases, List<String> upstream) {
    return new Finding(
        id,
        aliases,
        upstream,
        "pkg:npm/left@1.0.0",
        Severity.UNKNOWN,
        null,
        null,
        List.of(),
        List.of(),
        KnownExploited.UNKNOWN,
        null);
  }
}
