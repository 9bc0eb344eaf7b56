package dev.fencepost.asset;

import com.github.packageurl.MalformedPackageURLException;
import com.github.packageurl.PackageURL;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A package URL, by its fields. Two purls are equal when their fields are; the text is kept only to
 * show a person what they sent.
 *
 * @param type lower case, e.g. {@code maven}
 * @param qualifiers names in lower case
 */
public record Purl(
    String type,
    @Nullable String namespace,
    String name,
    @Nullable String version,
    Map<String, String> qualifiers,
    @Nullable String subpath,
    String text) {

  public Purl {
    qualifiers = Map.copyOf(qualifiers);
  }

  /**
   * Reads the fields out of a purl's text.
   *
   * @throws MalformedPurl if the text is not a package URL
   */
  public static Purl parse(String text) {
    try {
      var parsed = new PackageURL(text);
      var qualifiers = parsed.getQualifiers();
      return new Purl(
          parsed.getType(),
          parsed.getNamespace(),
          parsed.getName(),
          parsed.getVersion() == null || parsed.getVersion().isEmpty() ? null : parsed.getVersion(),
          qualifiers == null ? Map.of() : qualifiers,
          parsed.getSubpath(),
          text);
    } catch (MalformedPackageURLException e) {
      throw new MalformedPurl("not a package URL: " + e.getMessage());
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Purl that
        && type.equals(that.type)
        && Objects.equals(namespace, that.namespace)
        && name.equals(that.name)
        && Objects.equals(version, that.version)
        && qualifiers.equals(that.qualifiers)
        && Objects.equals(subpath, that.subpath);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, namespace, name, version, qualifiers, subpath);
  }

  @Override
  public String toString() {
    return text;
  }
}
