package dev.fencepost.kernel.identity.token;

import java.security.PrivateKey;
import java.security.interfaces.RSAPublicKey;

/** A key pair and its name. */
record SigningKey(String kid, PrivateKey secret, RSAPublicKey open) {

  /** Never the secret. */
  @Override
  public String toString() {
    return "key " + kid;
  }
}
