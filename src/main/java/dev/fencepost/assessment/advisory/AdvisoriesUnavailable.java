package dev.fencepost.assessment.advisory;

/** The advisory source gave no usable answer. The step failed and will be repeated. */
public final class AdvisoriesUnavailable extends RuntimeException {

  public AdvisoriesUnavailable(String message) {
    super(message, null, false, false);
  }
}
