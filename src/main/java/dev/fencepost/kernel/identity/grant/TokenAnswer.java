package dev.fencepost.kernel.identity.grant;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

/**
 * The answer of RFC 6749, section 5.1.
 *
 * @param expiresIn in seconds
 * @param refreshToken left out for clients, which can come back any time
 * @param scope what the subject may do now
 */
record TokenAnswer(
    String accessToken,
    String tokenType,
    long expiresIn,
    @JsonInclude(Include.NON_NULL) @Nullable String refreshToken,
    String scope) {

  /** Never the tokens. */
  @Override
  public String toString() {
    return "tokens with scope " + scope;
  }
}
