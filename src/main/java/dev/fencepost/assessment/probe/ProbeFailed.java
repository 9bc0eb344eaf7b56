package dev.fencepost.assessment.probe;

/** The probe could not be run, so nothing is known of the asset. A failed step, not an answer. */
public final class ProbeFailed extends RuntimeException {

  public ProbeFailed(String message) {
    super(message, null, false, false);
  }
}
