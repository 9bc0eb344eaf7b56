package dev.fencepost.assessment.advisory.version;

import java.util.regex.Pattern;
import org.apache.maven.artifact.versioning.ComparableVersion;

/**
 * Maven's own order. Its comparator accepts any text, so what Maven would not resolve as a version
 * is refused here: characters that Maven forbids in one (placeholders and ranges have them),
 * blanks, and the words that mean "whichever is newest".
 */
final class MavenOrder implements VersionOrder {

  private static final Shape SHAPE =
      new Shape(
          Pattern.compile(
              "(?!(?:latest|release)$)[^\\s\\p{Cntrl}\\\\/:\"<>|?*\\[\\](){},$]+",
              Pattern.CASE_INSENSITIVE),
          "a Maven version");

  @Override
  public Version parse(String text) {
    SHAPE.match(text);
    return new MavenVersion(new ComparableVersion(text));
  }

  private record MavenVersion(ComparableVersion version) implements Version {

    @Override
    public int compareTo(Version other) {
      return version.compareTo(((MavenVersion) other).version);
    }
  }
}
