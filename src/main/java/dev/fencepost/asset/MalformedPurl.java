package dev.fencepost.asset;

/** The text is not a package URL; the message says why, for the person who sent it. */
public final class MalformedPurl extends RuntimeException {

  public MalformedPurl(String message) {
    super(message, null, false, false);
  }
}
