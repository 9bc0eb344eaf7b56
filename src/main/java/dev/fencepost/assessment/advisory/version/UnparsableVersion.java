package dev.fencepost.assessment.advisory.version;

/** The text is no version of this ecosystem, so nothing can be said of its order. */
public final class UnparsableVersion extends RuntimeException {

  public UnparsableVersion(String message) {
    super(message, null, false, false);
  }
}
