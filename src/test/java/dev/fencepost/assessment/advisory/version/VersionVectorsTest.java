package dev.fencepost.assessment.advisory.version;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every vector of osv-scalibr for the ecosystems that are matched here. The vectors of alpine,
 * nuget, redhat and rubygems are out of scope: those ecosystems have no order here, so their
 * components are "unevaluated". A line that does not hold is named in {@code
 * fixtures/version-vectors-excluded/}, under what comes of it and why. The named lines must be
 * exactly those that fail, each in the named way, so an exclusion that went stale is noticed.
 */
class VersionVectorsTest {

  @ParameterizedTest
  @CsvSource({
    "Maven, maven-versions.txt, 102, 1",
    "Maven, maven-versions-generated.txt, 14752, 18",
    "npm, semver-versions.txt, 86, 2",
    "crates.io, semver-versions.txt, 86, 2",
    "Go, semver-versions.txt, 86, 1",
    "PyPI, pypi-versions.txt, 37, 11",
    "PyPI, pypi-versions-generated.txt, 12375, 69",
    "Debian:12, debian-versions.txt, 30, 0",
    "Debian:12, debian-versions-generated.txt, 14442, 0",
  })
  void every_vector_holds_save_those_named_with_a_reason(
      String ecosystem, String file, int vectors, int excluded) {
    var order = VersionOrders.of(ecosystem).orElseThrow();
    var lines = lines("version-vectors/" + file).stream().filter(Vector::isVector).toList();
    var failures = new TreeMap<String, String>();
    for (var line : lines) {
      var outcome = Vector.of(line).outcome(order);
      if (!outcome.equals("holds")) {
        failures.put(line, outcome);
      }
    }
    assertThat(lines).hasSize(vectors);
    assertThat(failures)
        .hasSize(excluded)
        .containsExactlyInAnyOrderEntriesOf(excluded == 0 ? Map.of() : named(ecosystem, file));
  }

  /** Lines by what comes of them: {@code # <outcome>: <why>}, then the lines. */
  private static Map<String, String> named(String ecosystem, String file) {
    var named = new TreeMap<String, String>();
    var outcome = "";
    for (var line : lines("version-vectors-excluded/" + ecosystem + "." + file)) {
      if (line.startsWith("# ")) {
        outcome = line.substring("# ".length(), line.indexOf(": "));
      } else {
        named.put(line, outcome);
      }
    }
    return named;
  }

  private static List<String> lines(String file) {
    try (var in =
        requireNonNull(VersionVectorsTest.class.getResourceAsStream("/fixtures/" + file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Vector(String left, String operator, String right) {

    static boolean isVector(String line) {
      return !line.isBlank() && !line.startsWith("//") && !line.startsWith("#");
    }

    static Vector of(String line) {
      var parts = line.split(" ", -1);
      assertThat(parts).as(line).hasSize(3);
      return new Vector(parts[0], parts[1], parts[2]);
    }

    /** Asked in both directions: an order that says a < b must say b > a. */
    String outcome(VersionOrder order) {
      try {
        var l = order.parse(left);
        var r = order.parse(right);
        var forth = Integer.signum(l.compareTo(r));
        var back = Integer.signum(r.compareTo(l));
        if (forth != -back) {
          return "contradicts itself";
        }
        return forth == expected() ? "holds" : List.of("<", "=", ">").get(forth + 1);
      } catch (UnparsableVersion unparsable) {
        return requireNonNull(unparsable.getMessage());
      }
    }

    private int expected() {
      return switch (operator) {
        case "<" -> -1;
        case "=" -> 0;
        case ">" -> 1;
        default -> throw new IllegalArgumentException("not an operator: " + operator);
      };
    }
  }
}
