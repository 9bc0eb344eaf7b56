package dev.fencepost.asset;

import java.util.List;

/**
 * What a report says an asset carries, and what of the report could not be used.
 *
 * @param components each purl once, in the order of the report
 */
record ReportedSoftware(List<Component> components, List<Skipped> skipped) {

  /**
   * A component that no advisory can be looked up for.
   *
   * @param ref what the report calls it
   */
  record Skipped(String ref, String reason) {}

  ReportedSoftware {
    components = List.copyOf(components);
    skipped = List.copyOf(skipped);
  }
}
