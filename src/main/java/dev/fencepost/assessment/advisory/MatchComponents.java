package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.Inventoried.Named;
import dev.fencepost.assessment.advisory.Judgement.CannotTell;
import dev.fencepost.assessment.advisory.Judgement.IsAffected;
import dev.fencepost.asset.Component;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Judges an inventory by an index of advisories: one look-up per component. */
final class MatchComponents {

  private final AdvisoryIndex index;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<Unevaluated> unevaluated = new LinkedHashSet<>();

  private MatchComponents(AdvisoryIndex index) {
    this.index = index;
  }

  static Matches match(String source, List<Component> components, AdvisoryIndex index) {
    var inventory = Inventoried.of(components);
    var matching = new MatchComponents(index);
    matching.unevaluated.addAll(inventory.unevaluated());
    inventory.components().forEach(matching::judge);
    matching.findings.sort(Findings.WORST_FIRST);
    return new Matches(source, matching.findings, List.copyOf(matching.unevaluated));
  }

  private void judge(Named component) {
    var target = component.target();
    var advisories = index.about(target.key());
    var hits = new ArrayList<Hit>();
    for (var advisory : advisories) {
      var entries = advisory.affected(target.key());
      var judgement = AffectedRanges.judge(target, advisory.id(), entries);
      if (judgement instanceof IsAffected is) {
        hits.add(new Hit(advisory, entries, is.fixes(), List.of()));
      } else if (judgement instanceof CannotTell cannot) {
        unevaluated.add(new Unevaluated(component.purl(), cannot.reason()));
      }
    }
    findings.addAll(Findings.of(component.purl(), target, hits));
    if (hits.isEmpty()) {
      whyNothingWasFound(component);
    }
  }

  private void whyNothingWasFound(Named component) {
    var target = component.target();
    if (target.unparsable() != null) {
      unevaluated.add(new Unevaluated(component.purl(), target.unparsable()));
    } else if (!index.knows(target.key().ecosystem())) {
      unevaluated.add(
          new Unevaluated(
              component.purl(), "there are no advisories for " + target.key().ecosystem()));
    }
  }
}
