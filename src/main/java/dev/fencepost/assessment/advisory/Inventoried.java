package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.Target.Judgeable;
import dev.fencepost.assessment.advisory.Target.NotJudgeable;
import dev.fencepost.asset.Component;
import dev.fencepost.asset.Purl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * An inventory as advisories name it, each purl once.
 *
 * @param components in the inventory's order
 * @param unevaluated those that no advisory can name
 */
record Inventoried(List<Named> components, List<Unevaluated> unevaluated) {

  /** A component that can be judged. */
  record Named(String purl, Judgeable target) {}

  static Inventoried of(List<Component> components) {
    var named = new ArrayList<Named>();
    var unevaluated = new ArrayList<Unevaluated>();
    once(components)
        .forEach(
            component -> {
              var purl = component.purl().text();
              var target = Targets.of(component);
              if (target instanceof Judgeable judgeable) {
                named.add(new Named(purl, judgeable));
              } else if (target instanceof NotJudgeable not) {
                unevaluated.add(new Unevaluated(purl, not.reason()));
              }
            });
    return new Inventoried(List.copyOf(named), List.copyOf(unevaluated));
  }

  /** Of components with the same purl, one that knows its source package says most. */
  private static Stream<Component> once(List<Component> components) {
    var byPurl = new LinkedHashMap<Purl, Component>();
    for (var component : components) {
      byPurl.merge(
          component.purl(), component, (known, same) -> known.source() == null ? same : known);
    }
    return byPurl.values().stream();
  }
}
