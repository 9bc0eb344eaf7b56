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
   * Reads the fields out of a purl's text. packageurl-java knows what each type allows and how it
   * spells names; it is not given the text itself, because version 1.5.0 garbles non-ASCII escapes,
   * refuses {@code PKG:} and an unescaped npm scope, and reads {@code pkg:npm//foo} as a name of
   * {@code /foo}. Names in Go keep the case they were sent in (it lower-cases them, the Go proxy
   * does not).
   *
   * @throws MalformedPurl if the text is not a package URL
   */
  public static Purl parse(String text) {
    try {
      return typed(PurlText.of(text), text);
    } catch (MalformedPurl | MalformedPackageURLException e) {
      throw new MalformedPurl("not a package URL: " + e.getMessage());
    }
  }

  private static Purl typed(PurlText sent, String text) throws MalformedPackageURLException {
    var checked =
        new PackageURL(
            sent.type(),
            sent.namespace(),
            sent.name(),
            sent.version(),
            sent.qualifiers(),
            sent.subpath());
    var keepsCase = checked.getType().equals(PackageURL.StandardTypes.GOLANG);
    return new Purl(
        checked.getType(),
        keepsCase ? sent.namespace() : checked.getNamespace(),
        keepsCase ? sent.name() : checked.getName(),
        sent.version(),
        sent.qualifiers(),
        sent.subpath(),
        text);
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
