package dev.fencepost.kernel.identity.issuer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencepost.kernel.identity.Caller;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.kernel.identity.token.TokenSettings;
import dev.fencepost.kernel.identity.token.TokenText;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.Unreachable;
import dev.fencepost.platform.time.Entropy;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;

/** Tokens of another issuer, whose keys are asked for, kept and rotated. */
class OutsideIssuersTest {

  private static final String ISSUER = "https://login.example.org";

  private static final RsaJsonWebKey first = key("first");
  private static final RsaJsonWebKey second = key("second");
  private final Clock clock = new Clock();
  private List<JsonWebKey> published = List.of(first);
  private boolean away;
  private int asked;

  private final OutsideIssuers issuers =
      new OutsideIssuers(new Settings(), new OurTokens(), this::answer, clock);

  @Test
  void its_claims_are_mapped_to_our_permissions_and_its_name_stands_before_the_subject() {
    assertThat(prove(token(first, ISSUER, "fencepost", List.of("operators", "gardeners"))))
        .isEqualTo(new Caller("corp:alice", Set.of(Permission.ASSETS_READ)));
  }

  @Test
  void a_token_for_somebody_else_is_refused() {
    refused(token(first, ISSUER, "bank", List.of("operators")));
  }

  @Test
  void an_issuer_that_nobody_named_is_not_looked_for() {
    var stranger = TokenText.parse(token(first, "https://evil", "fencepost", List.of()), 4096);
    assertThat(issuers.issuerOf(stranger)).isEmpty();
    assertThat(asked).isZero();
  }

  @Test
  void a_new_key_is_learned_when_it_is_first_met() {
    prove(good(first));
    published = List.of(first, second);
    clock.pass(Duration.ofSeconds(11));
    prove(good(second));
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void while_it_is_away_known_keys_are_good_and_new_ones_are_refused() {
    prove(good(first));
    away = true;
    clock.pass(Duration.ofHours(1));
    prove(good(first));
    refused(good(second));
  }

  @Test
  void a_key_it_took_back_is_refused_after_the_refresh() {
    prove(good(first));
    published = List.of(second);
    clock.pass(Duration.ofMinutes(11));
    refused(good(first));
  }

  @Test
  void strangers_kids_make_us_ask_at_a_bounded_rate() {
    prove(good(first));
    var stranger = key("stranger");
    for (var i = 0; i < 100; i++) {
      stranger.setKeyId("kid-" + i);
      refused(good(stranger));
    }
    assertThat(asked).isEqualTo(1);
  }

  private Caller prove(String token) {
    var text = TokenText.parse(token, 4096);
    return issuers.issuerOf(text).orElseThrow().prove(text).await().indefinitely();
  }

  private void refused(String token) {
    assertThatThrownBy(() -> prove(token)).isInstanceOf(TokenRefused.class);
  }

  private Uni<OutgoingHttp.Answer> answer(OutgoingHttp.Request request) {
    asked++;
    assertThat(request.reach()).isEqualTo(OutgoingHttp.Reach.GUARDED);
    return away
        ? Uni.createFrom().failure(new Unreachable(Unreachable.Kind.REFUSED, "away"))
        : Uni.createFrom()
            .item(
                new OutgoingHttp.Answer(
                    200, Map.of(), new JsonWebKeySet(published).toJson().getBytes(UTF_8)));
  }

  private static String good(RsaJsonWebKey key) {
    return token(key, ISSUER, "fencepost", List.of("operators"));
  }

  private static String token(
      RsaJsonWebKey key, String issuer, String audience, List<String> groups) {
    var claims = new JwtClaims();
    claims.setIssuer(issuer);
    claims.setAudience(audience);
    claims.setSubject("alice");
    claims.setIssuedAtToNow();
    claims.setExpirationTimeMinutesInTheFuture(10);
    claims.setStringListClaim("groups", groups);
    var signature = new JsonWebSignature();
    signature.setPayload(claims.toJson());
    signature.setKey(key.getPrivateKey());
    signature.setKeyIdHeaderValue(key.getKeyId());
    signature.setAlgorithmHeaderValue("RS256");
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  private static RsaJsonWebKey key(String kid) {
    try {
      var key = RsaJwkGenerator.generateJwk(2048);
      key.setKeyId(kid);
      return key;
    } catch (JoseException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Clock extends Entropy {

    private long passed;

    void pass(Duration time) {
      passed += time.toNanos();
    }

    @Override
    public long nanoTime() {
      return passed;
    }
  }

  private record OurTokens() implements TokenSettings {

    @Override
    public String issuer() {
      return "http://localhost:8080";
    }

    @Override
    public String audience() {
      return "fencepost";
    }

    @Override
    public Duration lifetime() {
      return Duration.ofMinutes(10);
    }

    @Override
    public Duration leeway() {
      return Duration.ofSeconds(5);
    }

    @Override
    public int maxLength() {
      return 4096;
    }
  }

  private record Settings() implements IssuerSettings {

    @Override
    public Map<String, Issuer> issuers() {
      return Map.of("corp", new Corp());
    }

    @Override
    public Duration jwksRefreshEvery() {
      return Duration.ofMinutes(10);
    }

    @Override
    public Duration jwksAskAtMostEvery() {
      return Duration.ofSeconds(10);
    }
  }

  private record Corp() implements IssuerSettings.Issuer {

    @Override
    public String issuer() {
      return ISSUER;
    }

    @Override
    public String jwksUrl() {
      return "https://login.example.org/certs";
    }

    @Override
    public String audience() {
      return "fencepost";
    }

    @Override
    public String claim() {
      return "groups";
    }

    @Override
    public Map<String, List<String>> permissions() {
      return Map.of("operators", List.of("assets:read"));
    }
  }
}
