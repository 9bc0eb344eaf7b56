package dev.fencepost.platform.embedded;

/** There are no stores to run on. The message is for the operator, and says what to do. */
public final class StoresUnavailable extends RuntimeException {

  public StoresUnavailable(String message) {
    super(message, null, false, false);
  }

  public StoresUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
