package dev.fencepost.kernel.identity;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.oauth2.sdk.AccessTokenResponse;
import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResourceOwnerPasswordCredentialsGrant;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import io.quarkus.oidc.client.OidcClients;
import io.quarkus.oidc.client.runtime.OidcClientConfig;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client libraries that know nothing of us get along with us. */
@QuarkusTest
class OAuthClientsTest {

  private static final String SECRET = "s+cret: with/odd %signs";
  private static final Duration SOON = Duration.ofSeconds(20);

  @TestHTTPResource("/")
  URI here;

  @Inject OidcClients clients;

  private final String client = "svc-" + UUID.randomUUID();

  @BeforeEach
  void createTheService() {
    given()
        .contentType(ContentType.JSON)
        .body(
            Map.of(
                "user_id",
                client,
                "password",
                SECRET,
                "kind",
                "service",
                "permissions",
                List.of("assets:read")))
        .post("/v1/users")
        .then()
        .statusCode(201);
  }

  @Test
  void the_nimbus_sdk_gets_refreshes_uses_and_revokes_tokens() throws Exception {
    var metadata =
        AuthorizationServerMetadata.parse(
            given().get("/.well-known/oauth-authorization-server").asString());
    var id = new ClientID(client);
    for (var auth :
        List.of(
            new ClientSecretBasic(id, new Secret(SECRET)),
            new ClientSecretPost(id, new Secret(SECRET)))) {
      var request =
          new TokenRequest.Builder(
                  metadata.getTokenEndpointURI(), auth, new ClientCredentialsGrant())
              .build();
      uses(tokens(request.toHTTPRequest()).getTokens().getAccessToken().getValue());
    }
    var auth = new ClientSecretBasic(id, new Secret(SECRET));
    var login =
        tokens(
            new TokenRequest.Builder(
                    metadata.getTokenEndpointURI(),
                    auth,
                    new ResourceOwnerPasswordCredentialsGrant(client, new Secret(SECRET)))
                .build()
                .toHTTPRequest());
    var renewed =
        tokens(
            new TokenRequest.Builder(
                    metadata.getTokenEndpointURI(),
                    auth,
                    new RefreshTokenGrant(login.getTokens().getRefreshToken()))
                .build()
                .toHTTPRequest());
    uses(renewed.getTokens().getAccessToken().getValue());
    var revoked =
        new TokenRevocationRequest(
                metadata.getRevocationEndpointURI(), auth, renewed.getTokens().getRefreshToken())
            .toHTTPRequest()
            .send();
    assertThat(revoked.getStatusCode()).isEqualTo(200);
  }

  @Test
  void the_oidc_client_of_quarkus_gets_and_uses_tokens() {
    var config =
        OidcClientConfig.authServerUrl(here.resolve("/").toString())
            .id("fencepost")
            .discoveryEnabled(false)
            .tokenPath("oauth/token")
            .clientId(client)
            .credentials(SECRET)
            .build();
    var oidc = clients.newClient(config).await().atMost(SOON);
    uses(oidc.getTokens().await().atMost(SOON).getAccessToken());
  }

  private static AccessTokenResponse tokens(HTTPRequest request) throws Exception {
    return TokenResponse.parse(request.send()).toSuccessResponse();
  }

  private static void uses(String token) {
    given()
        .noFilters()
        .header("Authorization", "Bearer " + token)
        .get("/v1/assets")
        .then()
        .statusCode(200);
  }
}
