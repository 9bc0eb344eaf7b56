package dev.fencepost.assessment.threat;

/** The feed could not be read, or is not what it should be. The copy at hand stays in use. */
final class UnusableFeed extends RuntimeException {

  UnusableFeed(String message) {
    super(message, null, false, false);
  }
}
