package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.version.UnparsableVersion;
import dev.fencepost.assessment.advisory.version.VersionOrder;
import dev.fencepost.assessment.advisory.version.VersionOrder.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A component as advisories name it; or why advisories have no name for it. */
sealed interface Target {

  /**
   * A package of an ecosystem with an order, in some version.
   *
   * @param spelling the package's name in the spelling that the OSV API wants
   * @param parsed the version, if it is one of this ecosystem
   * @param unparsable why it is not, otherwise
   * @param notes how the name was found, where that is not certain
   */
  record Judgeable(
      PackageKey key,
      String spelling,
      String version,
      VersionOrder order,
      @Nullable Version parsed,
      @Nullable String unparsable,
      List<String> notes)
      implements Target {

    static Judgeable of(
        PackageKey key, String spelling, String version, VersionOrder order, List<String> notes) {
      try {
        var parsed = order.parse(version);
        return new Judgeable(key, spelling, version, order, parsed, null, notes);
      } catch (UnparsableVersion e) {
        return new Judgeable(key, spelling, version, order, null, e.getMessage(), notes);
      }
    }
  }

  /** A component that no advisory of a supported ecosystem can name. */
  record NotJudgeable(String reason) implements Target {}
}
