package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.Inventoried.Named;
import dev.fencepost.assessment.advisory.Judgement.IsAffected;
import dev.fencepost.assessment.advisory.OsvQueries.Answers;
import dev.fencepost.assessment.advisory.OsvRecords.Fetched;
import dev.fencepost.asset.Component;
import dev.fencepost.kernel.fence.Effect;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Advisories from the OSV API. The server decides what matches; the records are fetched to group
 * them, to score them and to name the fixes.
 */
@ApplicationScoped
@Typed(OsvApi.class)
class OsvApi implements AdvisorySource {

  static final String NAME = "osv-api";
  static final String SERVER_ALONE_NOTE =
      "matched by the OSV API; the advisory's own ranges do not say so";

  private final OsvQueries queries;
  private final OsvRecords records;

  OsvApi(OutgoingHttp http, AdvisorySettings settings, Entropy entropy) {
    var calls = new OsvCalls(http, settings.osvApi(), entropy);
    this.queries = new OsvQueries(calls, settings.osvApi());
    this.records = new OsvRecords(calls, settings.osvApi());
  }

  @Override
  public Uni<Matches> match(List<Component> components, Effect effect) {
    var inventory = Inventoried.of(components);
    return queries
        .ask(queries(inventory), effect)
        .flatMap(
            answers ->
                records
                    .fetch(references(answers), effect)
                    .map(fetched -> matches(inventory, answers, fetched)));
  }

  /** Many binary packages come from one source package, so many queries are the same. */
  private static List<OsvQuery> queries(Inventoried inventory) {
    return inventory.components().stream()
        .map(component -> OsvQuery.of(component.target()))
        .distinct()
        .toList();
  }

  private static Set<OsvReference> references(Answers answers) {
    return answers.found().values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }

  private static Matches matches(
      Inventoried inventory, Answers answers, Map<OsvReference, Fetched> fetched) {
    var findings = new ArrayList<Finding>();
    var unevaluated = new LinkedHashSet<>(inventory.unevaluated());
    for (var component : inventory.components()) {
      var query = OsvQuery.of(component.target());
      var refused = answers.refused().get(query);
      if (refused != null) {
        unevaluated.add(new Unevaluated(component.purl(), refused));
      }
      var found =
          answers.found().getOrDefault(query, Set.of()).stream()
              .map(reference -> Objects.requireNonNull(fetched.get(reference)))
              .toList();
      found.stream()
          .map(Fetched::problem)
          .filter(Objects::nonNull)
          .forEach(problem -> unevaluated.add(new Unevaluated(component.purl(), problem)));
      if (component.target().unparsable() != null) {
        unevaluated.add(new Unevaluated(component.purl(), component.target().unparsable()));
      }
      findings.addAll(findings(component, found));
    }
    findings.sort(Findings.WORST_FIRST);
    return new Matches(NAME, findings, List.copyOf(unevaluated));
  }

  private static List<Finding> findings(Named component, List<Fetched> found) {
    var hits =
        found.stream()
            .map(Fetched::record)
            .filter(Objects::nonNull)
            .filter(record -> record.withdrawn() == null)
            .map(record -> hit(component, record))
            .toList();
    return Findings.of(component.purl(), component.target(), hits);
  }

  /** The server has looked at the version; a second opinion only adds the fixes, or a note. */
  private static Hit hit(Named component, OsvRecord record) {
    var target = component.target();
    var entries = record.affected(target.key());
    return AffectedRanges.judge(target, record.id(), entries) instanceof IsAffected is
        ? new Hit(record, entries, is.fixes(), List.of())
        : new Hit(record, entries, List.of(), List.of(SERVER_ALONE_NOTE));
  }
}
