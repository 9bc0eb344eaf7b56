package dev.fencepost.assessment.advisory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records of the same flaw. Being an alias is symmetric and transitive, so a group is a connected
 * component over ids and aliases. {@code upstream} does not connect: one distribution's record
 * covers many flaws.
 */
final class AliasGroups {

  private final Map<String, String> parents = new HashMap<>();

  private AliasGroups() {}

  /** Groups hits in the order in which each group's first hit comes. */
  static List<List<Hit>> of(List<Hit> hits) {
    var groups = new AliasGroups();
    for (var hit : hits) {
      hit.record().aliases().forEach(alias -> groups.join(hit.record().id(), alias));
    }
    var byRoot = new LinkedHashMap<String, List<Hit>>();
    for (var hit : hits) {
      byRoot.computeIfAbsent(groups.root(hit.record().id()), id -> new ArrayList<>()).add(hit);
    }
    return List.copyOf(byRoot.values());
  }

  private void join(String id, String alias) {
    parents.put(root(id), root(alias));
  }

  private String root(String id) {
    var root = id;
    for (var parent = parents.get(root);
        parent != null && !parent.equals(root);
        parent = parents.get(root)) {
      root = parent;
    }
    return root;
  }
}
