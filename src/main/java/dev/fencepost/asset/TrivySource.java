package dev.fencepost.asset;

import org.jspecify.annotations.Nullable;

/**
 * The properties with which Trivy names the source package of a binary package of a distribution.
 */
final class TrivySource {

  private static final String PREFIX = "aquasecurity:trivy:Src";

  private @Nullable String name;
  private @Nullable String epoch;
  private @Nullable String version;
  private @Nullable String release;

  /** Takes one property of the component; those that say nothing about a source are passed over. */
  void set(String property, String value) {
    switch (property) {
      case PREFIX + "Name" -> name = value;
      case PREFIX + "Epoch" -> epoch = value;
      case PREFIX + "Version" -> version = value;
      case PREFIX + "Release" -> release = value;
      default -> {}
    }
  }

  /**
   * The source package as {@code [epoch:]version[-release]}; null unless name and version are
   * known.
   */
  @Nullable SourcePackage asSource() {
    if (name == null || version == null) {
      return null;
    }
    return new SourcePackage(
        name,
        (epoch == null ? "" : epoch + ":") + version + (release == null ? "" : "-" + release));
  }
}
