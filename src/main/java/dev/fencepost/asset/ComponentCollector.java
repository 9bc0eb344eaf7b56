package dev.fencepost.asset;

import dev.fencepost.asset.ReportedSoftware.Skipped;
import dev.fencepost.platform.http.Refused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the components of one report, one by one, and counts all of them against a limit. The same
 * purl twice, compared by its fields, is one component.
 */
final class ComponentCollector {

  private final int limit;
  private final Map<Purl, Component> components = new LinkedHashMap<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private int seen;

  ComponentCollector(int limit) {
    this.limit = limit;
  }

  void add(String ref, @Nullable String purl, @Nullable SourcePackage source) {
    if (++seen > limit) {
      throw Refused.field("components", "must be at most " + limit + ", nested ones included");
    }
    if (purl == null || purl.isEmpty()) {
      skipped.add(new Skipped(ref, "it has no purl"));
      return;
    }
    try {
      var parsed = Purl.parse(purl);
      components.merge(parsed, new Component(parsed, source), ComponentCollector::better);
    } catch (MalformedPurl e) {
      skipped.add(new Skipped(ref, e.reason()));
    }
  }

  /** Shown as mentioned first; but another mention may be the one that knows the source package. */
  private static Component better(Component first, Component second) {
    return first.source() == null ? new Component(first.purl(), second.source()) : first;
  }

  ReportedSoftware collected() {
    return new ReportedSoftware(List.copyOf(components.values()), skipped);
  }
}
