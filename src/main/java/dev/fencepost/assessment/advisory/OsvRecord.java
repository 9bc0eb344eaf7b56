package dev.fencepost.assessment.advisory;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an OSV record (schema 1.7) that a judgement needs. Texts for people are left out:
 * they are most of a record's size.
 *
 * @param withdrawn since when the record is void
 * @param aliases other ids of the same flaw
 * @param upstream ids of the flaws that a distribution's record is about
 * @param severityWord the database's own word, e.g. {@code MODERATE}
 */
record OsvRecord(
    String id,
    Instant modified,
    @Nullable Instant withdrawn,
    List<String> aliases,
    List<String> upstream,
    List<Rating> severity,
    @Nullable String severityWord,
    List<Affected> affected) {

  OsvRecord {
    aliases = List.copyOf(aliases);
    upstream = List.copyOf(upstream);
    severity = List.copyOf(severity);
    affected = List.copyOf(affected);
  }

  /** Every id this flaw goes by here: the record's own, then its aliases. */
  Stream<String> names() {
    return Stream.concat(Stream.of(id), aliases.stream());
  }

  /** The entries about one package; a record may hold several of the same package. */
  List<Affected> affected(PackageKey key) {
    return affected.stream().filter(entry -> entry.key().equals(key)).toList();
  }

  /**
   * How bad a flaw is.
   *
   * @param type e.g. {@code CVSS_V3}
   * @param score a CVSS vector, or a word; never a number
   */
  record Rating(String type, String score) {}

  /**
   * Which versions of a package are affected: those listed, and those in the ranges.
   *
   * @param severity of this package alone; empty where the record has one for all
   */
  record Affected(
      PackageKey key, List<Rating> severity, List<Range> ranges, List<String> versions) {

    Affected {
      severity = List.copyOf(severity);
      ranges = List.copyOf(ranges);
      versions = List.copyOf(versions);
    }
  }

  /** Intervals of versions, by their events, in the order of the file: which need not be sorted. */
  record Range(List<Event> events) {

    Range {
      events = List.copyOf(events);
    }
  }

  /** One boundary of an interval. */
  record Event(Kind kind, String version) {

    /** What begins or ends at a boundary. */
    enum Kind {
      INTRODUCED,
      FIXED,
      LAST_AFFECTED,
      LIMIT
    }
  }
}
