package dev.fencepost.assessment.advisory.version;

import java.util.Optional;

/** Finds the version order of an OSV ecosystem. */
public final class VersionOrders {

  private static final VersionOrder MAVEN = new MavenOrder();
  private static final VersionOrder SEM_VER = new SemVerOrder();
  private static final VersionOrder PEP_440 = new Pep440Order();
  private static final VersionOrder DEBIAN = new DebianOrder();
  private static final VersionOrder GO = new GoOrder();

  private VersionOrders() {}

  /**
   * The order of an ecosystem, spelt as OSV spells it; a release after a colon ({@code Debian:12})
   * changes nothing. Empty for an ecosystem whose order is not known: its components cannot be
   * judged.
   */
  public static Optional<VersionOrder> of(String osvEcosystem) {
    return switch (family(osvEcosystem)) {
      case "Maven" -> Optional.of(MAVEN);
      case "npm", "crates.io" -> Optional.of(SEM_VER);
      case "PyPI" -> Optional.of(PEP_440);
      case "Debian" -> Optional.of(DEBIAN);
      case "Go" -> Optional.of(GO);
      default -> Optional.empty();
    };
  }

  private static String family(String osvEcosystem) {
    var colon = osvEcosystem.indexOf(':');
    return colon < 0 ? osvEcosystem : osvEcosystem.substring(0, colon);
  }
}
