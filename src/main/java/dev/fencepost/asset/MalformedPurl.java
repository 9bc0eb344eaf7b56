package dev.fencepost.asset;

/** The text is not a package URL; the message says why, for the person who sent it. */
public final class MalformedPurl extends RuntimeException {

  private final String reason;

  public MalformedPurl(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
