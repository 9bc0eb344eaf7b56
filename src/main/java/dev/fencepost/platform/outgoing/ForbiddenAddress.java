package dev.fencepost.platform.outgoing;

/** The address guard does not allow this target. Repeating will not help; configuration will. */
public final class ForbiddenAddress extends RuntimeException {

  private final String detail;

  public ForbiddenAddress(String message) {
    super(message, null, false, false);
    this.detail = message;
  }

  public String detail() {
    return detail;
  }
}
