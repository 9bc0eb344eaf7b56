package dev.fencepost.kernel.identity.grant;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencepost.kernel.identity.grant.OAuthRefused.Code;
import jakarta.ws.rs.core.MultivaluedMap;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parameters of a request to an OAuth endpoint; each may be given once. */
final class OAuthForm {

  private static final String BASIC = "Basic ";

  private final MultivaluedMap<String, String> fields;

  OAuthForm(@Nullable MultivaluedMap<String, String> fields) {
    if (fields == null) {
      throw new OAuthRefused(Code.INVALID_REQUEST, "the form is empty");
    }
    this.fields = fields;
  }

  /**
   * Id and secret of a client.
   *
   * @param asSent the secret before it was decoded: many clients do not encode it
   */
  record ClientSecret(String id, String secret, String asSent) {

    /** As the standard has it, and if that differs, as many clients send it. */
    List<String> readings() {
      return secret.equals(asSent) ? List.of(secret) : List.of(secret, asSent);
    }

    /** Never the secret. */
    @Override
    public String toString() {
      return "secret of " + id;
    }
  }

  Optional<String> find(String name) {
    var values = fields.get(name);
    if (values == null || values.isEmpty() || values.get(0).isEmpty()) {
      return Optional.empty();
    }
    if (values.size() > 1) {
      throw new OAuthRefused(Code.INVALID_REQUEST, name + " is given more than once");
    }
    return Optional.of(values.get(0));
  }

  String require(String name) {
    return find(name)
        .orElseThrow(() -> new OAuthRefused(Code.INVALID_REQUEST, name + " is missing"));
  }

  /**
   * What proves the client: HTTP Basic, or the form; not both.
   *
   * @see <a href="https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1">RFC 6749</a>
   */
  Optional<ClientSecret> clientSecret(@Nullable String authorization) {
    var inForm =
        find("client_secret").map(secret -> new ClientSecret(require("client_id"), secret, secret));
    if (authorization == null || !authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return inForm;
    }
    if (inForm.isPresent()) {
      throw new OAuthRefused(Code.INVALID_REQUEST, "the client is authenticated in two ways");
    }
    return Optional.of(basic(authorization.substring(BASIC.length()).strip()));
  }

  private static ClientSecret basic(String encoded) {
    try {
      var pair = new String(Base64.getDecoder().decode(encoded), UTF_8);
      var colon = pair.indexOf(':');
      if (colon > 0) {
        var secret = pair.substring(colon + 1);
        return new ClientSecret(decoded(pair.substring(0, colon)), decoded(secret), secret);
      }
    } catch (IllegalArgumentException e) {
      // answered below, as any other header that is none
    }
    throw new OAuthRefused(Code.INVALID_CLIENT, "the Basic authorization cannot be read");
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // it was not encoded
    }
  }
}
