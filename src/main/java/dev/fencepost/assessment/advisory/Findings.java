package dev.fencepost.assessment.advisory;

import dev.fencepost.assessment.advisory.OsvRecord.Rating;
import dev.fencepost.assessment.advisory.Target.Judgeable;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes one finding of all records that say the same of one component. */
final class Findings {

  /** Worst first, then by id and component, so that the same facts are always told the same way. */
  static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing(Finding::severity)
          .thenComparing(Finding::cvssScore, Comparator.nullsFirst(Comparator.naturalOrder()))
          .reversed()
          .thenComparing(Finding::vulnerabilityId)
          .thenComparing(Finding::purl);

  /**
   * The id shown first: GitHub's, which has a page that tells what to do; then the CVE; then the
   * ecosystem's own; then whatever sorts first.
   */
  static final Comparator<String> BEST_KNOWN_FIRST =
      Comparator.comparingInt(Findings::rank).thenComparing(Comparator.naturalOrder());

  private Findings() {}

  /** One finding per flaw in a component. */
  static List<Finding> of(String purl, Judgeable target, List<Hit> hits) {
    return AliasGroups.of(hits).stream().map(group -> finding(purl, target, group)).toList();
  }

  private static Finding finding(String purl, Judgeable target, List<Hit> group) {
    var names = new TreeSet<>(BEST_KNOWN_FIRST);
    group.forEach(hit -> hit.record().names().forEach(names::add));
    var shown = names.first();
    names.remove(shown);
    var worst = scores(group).min(CvssScore.WORST_FIRST);
    return new Finding(
        shown,
        names.stream().sorted().toList(),
        all(group, hit -> hit.record().upstream().stream()).sorted().toList(),
        purl,
        worst.map(CvssScore::severity).orElseGet(() -> worstWord(group)),
        worst.map(CvssScore::score).orElse(null),
        worst.map(CvssScore::vector).orElse(null),
        all(group, hit -> hit.fixes().stream())
            .sorted(Comparator.comparing(target.order()::parse))
            .toList(),
        notes(target, group),
        KnownExploited.UNKNOWN,
        null);
  }

  private static Stream<CvssScore> scores(List<Hit> group) {
    return group.stream()
        .flatMap(Hit::ratings)
        .map(Rating::score)
        .map(CvssScore::of)
        .flatMap(Optional::stream);
  }

  private static Severity worstWord(List<Hit> group) {
    return group.stream()
        .map(hit -> hit.record().severityWord())
        .filter(Objects::nonNull)
        .map(CvssScore::ofWord)
        .max(Comparator.naturalOrder())
        .orElse(Severity.UNKNOWN);
  }

  private static List<String> notes(Judgeable target, List<Hit> group) {
    var notes = new LinkedHashSet<>(target.notes());
    for (var hit : group) {
      notes.addAll(hit.notes());
      hit.ratings()
          .filter(rating -> rating.type().startsWith("CVSS"))
          .filter(rating -> CvssScore.of(rating.score()).isEmpty())
          .forEach(rating -> notes.add("CVSS vector of " + hit.record().id() + " is malformed"));
    }
    return List.copyOf(notes);
  }

  private static Stream<String> all(List<Hit> group, Function<Hit, Stream<String>> part) {
    return group.stream().flatMap(part).distinct();
  }

  private static int rank(String id) {
    if (id.startsWith("GHSA-")) {
      return 0;
    }
    if (id.startsWith("CVE-")) {
      return 1;
    }
    return id.startsWith("PYSEC-") || id.startsWith("GO-") || id.startsWith("RUSTSEC-") ? 2 : 3;
  }
}
