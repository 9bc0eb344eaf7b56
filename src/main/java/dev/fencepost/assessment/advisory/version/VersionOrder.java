package dev.fencepost.assessment.advisory.version;

/** How one ecosystem orders its versions. */
public interface VersionOrder {

  /** A parsed version, comparable with versions of the same order only. */
  interface Version extends Comparable<Version> {}

  /**
   * Reads a version.
   *
   * @throws UnparsableVersion if the text is no version here
   */
  Version parse(String text);
}
