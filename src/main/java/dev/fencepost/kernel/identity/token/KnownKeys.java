package dev.fencepost.kernel.identity.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Our public keys as a JWK set, RFC 7517. */
@ApplicationScoped
public class KnownKeys {

  /** The set. */
  public record Jwks(List<Jwk> keys) {}

  /** One RSA key for signatures. */
  public record Jwk(String kty, String use, String alg, String kid, String n, String e) {}

  private final Jwks jwks;

  KnownKeys(SigningKeys keys) {
    jwks =
        new Jwks(
            keys.all().values().stream()
                .map(
                    key ->
                        new Jwk(
                            "RSA",
                            "sig",
                            "RS256",
                            key.kid(),
                            text(key.open().getModulus()),
                            text(key.open().getPublicExponent())))
                .toList());
  }

  public Jwks jwks() {
    return jwks;
  }

  /** Base64urlUInt: without the sign byte that Java may put in front. */
  private static String text(BigInteger number) {
    var bytes = number.toByteArray();
    var from = bytes[0] == 0 ? 1 : 0;
    var unsigned = Arrays.copyOfRange(bytes, from, bytes.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(unsigned);
  }
}
