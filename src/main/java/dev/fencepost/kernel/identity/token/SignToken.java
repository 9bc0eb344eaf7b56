package dev.fencepost.kernel.identity.token;

import jakarta.enterprise.context.ApplicationScoped;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/** Signs access tokens. Takes a millisecond of CPU: not for an event loop. */
@ApplicationScoped
public class SignToken {

  private final SigningKeys keys;
  private final TokenSettings settings;

  SignToken(SigningKeys keys, TokenSettings settings) {
    this.keys = keys;
    this.settings = settings;
  }

  /** The compact form of a token. */
  public String sign(AccessToken token) {
    var signature = new JsonWebSignature();
    signature.setPayload(claims(token).toJson());
    signature.setKey(keys.active().secret());
    signature.setKeyIdHeaderValue(keys.active().kid());
    signature.setHeader("typ", "JWT");
    signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException("the key " + keys.active().kid() + " does not sign", e);
    }
  }

  private JwtClaims claims(AccessToken token) {
    var claims = new JwtClaims();
    claims.setIssuer(settings.issuer());
    claims.setAudience(settings.audience());
    claims.setSubject(token.subject());
    claims.setIssuedAt(NumericDate.fromSeconds(token.issuedAt().getEpochSecond()));
    claims.setExpirationTime(NumericDate.fromSeconds(token.expiresAt().getEpochSecond()));
    claims.setJwtId(token.id());
    claims.setClaim("tv", token.tokenVersion());
    claims.setClaim("pv", token.permissionVersion());
    return claims;
  }
}
