package dev.fencepost.kernel.identity.token;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.chaos.Patience;
import dev.fencepost.kernel.audit.WatchedTrail;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What strangers try with tokens. Each is refused in the same words, and seen. */
@QuarkusTest
class AttackTest {

  private static final int LEEWAY_SECONDS = 5;

  private static final String CLAIMS =
      """
      {"iss":"http://localhost:8080","aud":"fencepost","sub":"admin","iat":%d,"exp":%d,
       "jti":"g.1","tv":1,"pv":1}""";

  @Inject SigningKeys keys;
  @Inject WatchedTrail trail;

  @Test
  void a_good_token_made_in_this_way_is_let_in() {
    ask(sign(header("{}"), claims(UnaryOperator.identity()), key())).then().statusCode(200);
  }

  @TestFactory
  List<DynamicTest> every_attack_gets_the_same_401_and_leaves_one_event() throws Exception {
    var attacks = new LinkedHashMap<String, Attack>();
    attacks.put("no token", new Attack(given().noFilters(), "no_token"));
    attacks.put("alg none", bearer(unsigned("none"), "wrong_algorithm"));
    attacks.put("alg None", bearer(unsigned("None"), "wrong_algorithm"));
    attacks.put(
        "alg none, with a signature",
        bearer(part("{\"alg\":\"none\"}") + "." + part(good()) + ".AAAA", "wrong_algorithm"));
    attacks.put("HS256 with the public key", bearer(hs256(), "wrong_algorithm"));
    attacks.put(
        "alg in lower case",
        bearer(sign(header("{\"alg\":\"rs256\"}"), good(), key()), "wrong_algorithm"));
    attacks.put(
        "alg RS512", bearer(sign(header("{\"alg\":\"RS512\"}"), good(), key()), "wrong_algorithm"));
    attacks.put("a key of the token's own (jwk)", bearer(embeddedKey(), "header_not_allowed"));
    for (var header : List.of("jku", "x5u")) {
      attacks.put(
          "a key from elsewhere (" + header + ")",
          bearer(
              sign(header("{\"" + header + "\":\"http://127.0.0.1:1/\"}"), good(), stranger()),
              "header_not_allowed"));
    }
    attacks.put(
        "critical extension",
        bearer(sign(header("{\"crit\":[\"x\"],\"x\":1}"), good(), key()), "header_not_allowed"));
    for (var kid : List.of("../../../../dev/null", "' OR 1=1 --", "", "unknown")) {
      attacks.put(
          "kid " + kid,
          bearer(
              sign("{\"alg\":\"RS256\",\"kid\":\"%s\"}".formatted(kid), good(), stranger()),
              "unknown_key"));
    }
    attacks.put("no kid", bearer(sign("{\"alg\":\"RS256\"}", good(), key()), "unknown_key"));
    attacks.put(
        "another key of the same kid",
        bearer(sign(header("{}"), good(), stranger()), "bad_signature"));
    attacks.put("another issuer", altered("http://localhost:8080", "http://evil", "wrong_issuer"));
    attacks.put("another audience", altered("\"fencepost\"", "\"bank\"", "wrong_audience"));
    attacks.put("no audience", altered("\"aud\":\"fencepost\",", "", "wrong_audience"));
    attacks.put("another subject", altered("\"admin\"", "\"nobody\"", "unknown_subject"));
    attacks.put("a version that never was", altered("\"tv\":1", "\"tv\":99", "logged_out"));
    attacks.put("no version", altered("\"tv\":1,", "", "missing_claim"));
    attacks.put("no id", altered("\"jti\":\"g.1\",", "", "missing_claim"));
    attacks.put("a version as text", altered("\"tv\":1", "\"tv\":\"1\"", "malformed"));
    attacks.put("expired", bearer(at(-700, -100), "expired"));
    attacks.put("issued tomorrow", bearer(at(86_400, 87_000), "not_yet_valid"));
    attacks.put(
        "not yet valid",
        altered("\"tv\":1", "\"nbf\":%d,\"tv\":1".formatted(now() + 600), "not_yet_valid"));
    attacks.put("no end", altered("\"exp\":%d,".formatted(now() + 600), "", "missing_claim"));
    attacks.put(
        "a claim twice",
        altered("\"sub\":\"admin\"", "\"sub\":\"x\",\"sub\":\"admin\"", "duplicate_claim"));
    attacks.put(
        "a header twice",
        bearer(
            sign(
                "{\"alg\":\"RS256\",\"alg\":\"RS256\",\"kid\":\"%s\"}"
                    .formatted(keys.active().kid()),
                good(),
                key()),
            "duplicate_claim"));
    attacks.put(
        "oversized",
        altered("\"tv\":1", "\"tv\":1,\"x\":\"" + "x".repeat(5_000) + "\"", "oversized"));
    attacks.put("not a token", bearer("abc", "malformed"));
    attacks.put("not JSON", bearer("YQ.YQ.YQ", "malformed"));
    attacks.put(
        "a changed payload",
        bearer(
            swapPayload(sign(header("{}"), good(), key()), good().replace("\"pv\":1", "\"pv\":2")),
            "bad_signature"));
    attacks.put(
        "a good token in the query",
        new Attack(
            given().noFilters().queryParam("access_token", sign(header("{}"), good(), key())),
            "token_in_query"));
    attacks.put(
        "two authorizations",
        new Attack(
            given().noFilters().header("Authorization", "Bearer a", "Bearer b"), "malformed"));
    attacks.put(
        "another scheme",
        new Attack(given().noFilters().header("Authorization", "Basic YTpi"), "no_token"));
    return attacks.entrySet().stream()
        .map(a -> DynamicTest.dynamicTest(a.getKey(), () -> refused(a.getValue())))
        .toList();
  }

  @Test
  void a_token_that_was_verified_before_ends_at_its_time_all_the_same() {
    var issued = Instant.now().getEpochSecond();
    var token =
        sign(header("{}"), CLAIMS.formatted(issued - 600, issued + 3 - LEEWAY_SECONDS), key());
    assertThat(status(token)).isEqualTo(200);
    Patience.until("it has ended", Duration.ofSeconds(20), () -> status(token) == 401);
    assertThat(Instant.now().getEpochSecond()).isGreaterThanOrEqualTo(issued + 3);
  }

  private static int status(String token) {
    return given()
        .noFilters()
        .header("Authorization", "Bearer " + token)
        .get("/v1/assets")
        .statusCode();
  }

  @Test
  void the_key_of_embedded_mode_is_its_owners_alone() throws Exception {
    var folder = Path.of(config("fencepost.data-dir"), "keys");
    try (var files = Files.list(folder)) {
      assertThat(files)
          .singleElement()
          .satisfies(
              file ->
                  assertThat(Files.getPosixFilePermissions(file))
                      .extracting(Enum::name)
                      .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE"));
    }
  }

  private record Attack(RequestSpecification request, String reason) {}

  private void refused(Attack attack) {
    var trace = UUID.randomUUID().toString().replace("-", "");
    var answer =
        attack
            .request
            .header("traceparent", "00-" + trace + "-2222222222222222-01")
            .get("/v1/assets")
            .then()
            .statusCode(401)
            .extract();
    assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer realm=\"fencepost\"");
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.asString().replaceAll("\"trace_id\":\"[0-9a-f]+\"", "\"trace_id\":\"…\""))
        .isEqualTo(
            "{\"type\":\"urn:fencepost:problem:unauthenticated\",\"title\":\"Who asks is not"
                + " proven\",\"status\":401,\"detail\":\"a valid access token of this service is"
                + " needed: Authorization: Bearer …\",\"instance\":\"/v1/assets\","
                + "\"trace_id\":\"…\"}");
    assertThat(trail.of(trace))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("ACCESS_DENIED");
              assertThat(event.outcome()).isEqualTo(attack.reason);
            });
  }

  private static Response ask(String token) {
    return given().noFilters().header("Authorization", "Bearer " + token).get("/v1/assets");
  }

  private static Attack bearer(String token, String reason) {
    return new Attack(given().noFilters().header("Authorization", "Bearer " + token), reason);
  }

  private Attack altered(String from, String to, String reason) {
    assertThat(good()).contains(from);
    return bearer(sign(header("{}"), good().replace(from, to), key()), reason);
  }

  private String at(long issued, long expires) {
    return sign(header("{}"), CLAIMS.formatted(now() + issued, now() + expires), key());
  }

  private String unsigned(String algorithm) {
    return part("{\"alg\":\"" + algorithm + "\"}") + "." + part(good()) + ".";
  }

  private String hs256() throws GeneralSecurityException {
    var input =
        part("{\"alg\":\"HS256\",\"kid\":\"" + keys.active().kid() + "\"}") + "." + part(good());
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(keys.active().open().getEncoded(), "HmacSHA256"));
    return input + "." + text(mac.doFinal(input.getBytes(UTF_8)));
  }

  private String embeddedKey() throws JoseException, GeneralSecurityException {
    var pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    var jwk = ((RsaJsonWebKey) JsonWebKey.Factory.newJwk(pair.getPublic()));
    var header = "{\"jwk\":%s}".formatted(jwk.toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY));
    return sign(header(header), good(), pair.getPrivate());
  }

  private static String swapPayload(String token, String payload) {
    var parts = token.split("\\.");
    return parts[0] + "." + part(payload) + "." + parts[2];
  }

  private PrivateKey key() {
    return keys.active().secret();
  }

  private static PrivateKey stranger() {
    try {
      return KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private String header(String more) {
    var base = new LinkedHashMap<String, String>();
    base.put("alg", "\"RS256\"");
    base.put("kid", "\"" + keys.active().kid() + "\"");
    if (more.contains("\"alg\"")) {
      base.remove("alg");
    }
    var own =
        String.join(
            ",",
            base.entrySet().stream()
                .map((Map.Entry<String, String> e) -> "\"" + e.getKey() + "\":" + e.getValue())
                .toList());
    var extra = more.substring(1, more.length() - 1);
    return "{" + own + (extra.isEmpty() ? "" : "," + extra) + "}";
  }

  private static String good() {
    return claims(UnaryOperator.identity());
  }

  private static String claims(UnaryOperator<String> change) {
    return change.apply(CLAIMS.formatted(now(), now() + 600));
  }

  private static final long NOW = Instant.now().getEpochSecond();

  private static long now() {
    return NOW;
  }

  private static String sign(String header, String claims, PrivateKey key) {
    try {
      var input = part(header) + "." + part(claims);
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(input.getBytes(UTF_8));
      return input + "." + text(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String part(String json) {
    return text(json.getBytes(UTF_8));
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String config(String name) {
    return ConfigProvider.getConfig().getValue(name, String.class);
  }
}
