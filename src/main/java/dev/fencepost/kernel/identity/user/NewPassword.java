package dev.fencepost.kernel.identity.user;

import org.jspecify.annotations.Nullable;

/** A password to be set. */
record NewPassword(@Nullable String password) {

  /** Never the password. */
  @Override
  public String toString() {
    return "a new password";
  }
}
