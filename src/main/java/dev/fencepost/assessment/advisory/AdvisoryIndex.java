package dev.fencepost.assessment.advisory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All local advisories, by the packages they are about. Never changed once built: a reload builds
 * another and swaps it in whole.
 */
final class AdvisoryIndex {

  private final Map<PackageKey, List<OsvRecord>> byPackage;
  private final Set<String> ecosystems;
  private final int records;

  private AdvisoryIndex(
      Map<PackageKey, List<OsvRecord>> byPackage, Set<String> ecosystems, int records) {
    this.byPackage = byPackage;
    this.ecosystems = ecosystems;
    this.records = records;
  }

  /** Advisories about a package, by id; none is withdrawn. */
  List<OsvRecord> about(PackageKey key) {
    return byPackage.getOrDefault(key, List.of());
  }

  /**
   * Whether there is any advisory of an ecosystem. If not, nothing can be said of its packages: to
   * find nothing where nothing is known is not an all-clear.
   */
  boolean knows(String ecosystem) {
    return ecosystems.contains(ecosystem);
  }

  /** How many records were read, withdrawn ones and those of other ecosystems included. */
  int records() {
    return records;
  }

  /** Collects records, of each id the newest, in whatever order they come. */
  static final class Builder {

    private final Map<String, OsvRecord> byId = new HashMap<>();
    private final Map<String, String> shared = new HashMap<>();

    /** One instance for all equal texts: most versions and names stand in many records. */
    String share(String text) {
      var first = shared.putIfAbsent(text, text);
      return first == null ? text : first;
    }

    void add(OsvRecord record) {
      byId.merge(
          record.id(),
          record,
          (one, other) -> other.modified().isAfter(one.modified()) ? other : one);
    }

    int records() {
      return byId.size();
    }

    AdvisoryIndex build() {
      var byPackage = new HashMap<PackageKey, List<OsvRecord>>();
      var ecosystems = new HashSet<String>();
      byId.values().stream()
          .filter(record -> record.withdrawn() == null)
          .sorted(Comparator.comparing(OsvRecord::id))
          .forEach(record -> index(record, byPackage, ecosystems));
      byPackage.replaceAll((key, records) -> List.copyOf(records));
      return new AdvisoryIndex(byPackage, Set.copyOf(ecosystems), byId.size());
    }

    private static void index(
        OsvRecord record, Map<PackageKey, List<OsvRecord>> byPackage, Set<String> ecosystems) {
      var keys = new HashSet<PackageKey>();
      for (var entry : record.affected()) {
        if (keys.add(entry.key())) {
          byPackage.computeIfAbsent(entry.key(), key -> new ArrayList<>()).add(record);
          ecosystems.add(entry.key().ecosystem());
        }
      }
    }
  }
}
