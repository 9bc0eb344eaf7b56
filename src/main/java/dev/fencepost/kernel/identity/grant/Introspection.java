package dev.fencepost.kernel.identity.grant;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

/** The answer of RFC 7662. Of a token that is not active, nothing else is said. */
@JsonInclude(Include.NON_NULL)
record Introspection(
    boolean active,
    @Nullable String scope,
    @Nullable String username,
    @Nullable String tokenType,
    @Nullable Long exp,
    @Nullable Long iat,
    @Nullable String sub,
    @Nullable String aud,
    @Nullable String iss,
    @Nullable String jti) {

  static final Introspection INACTIVE =
      new Introspection(false, null, null, null, null, null, null, null, null, null);
}
