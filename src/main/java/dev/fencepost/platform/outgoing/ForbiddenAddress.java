package dev.fencepost.platform.outgoing;

/** The address guard does not allow this target. Repeating will not help; configuration will. */
public final class ForbiddenAddress extends RuntimeException {

  public ForbiddenAddress(String message) {
    super(message, null, false, false);
  }
}
