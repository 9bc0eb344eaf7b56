package dev.fencepost.assessment.advisory;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A package as OSV identifies it. Names that the ecosystem itself holds equal are equal here: PyPI
 * names by PEP 503, Go module paths without regard to case (purls spell them in lower case, OSV
 * does not).
 *
 * @param ecosystem with its release where it has one, e.g. {@code Debian:12}
 */
record PackageKey(String ecosystem, String name) {

  private static final Pattern PEP_503_SEPARATORS = Pattern.compile("[-_.]+");

  PackageKey {
    name =
        switch (ecosystem) {
          case "PyPI" -> PEP_503_SEPARATORS.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
          case "Go" -> name.toLowerCase(Locale.ROOT);
          default -> name;
        };
  }
}
