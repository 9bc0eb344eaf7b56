package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.identity.Open;
import dev.fencepost.kernel.identity.Permission;
import dev.fencepost.kernel.identity.token.KnownKeys;
import dev.fencepost.kernel.identity.token.TokenSettings;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What clients can find out by themselves: our keys, and where our endpoints are. */
@Path("/.well-known")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Tokens")
class WellKnownResource {

  private static final List<String> CLIENT_AUTHENTICATION =
      List.of("client_secret_basic", "client_secret_post");

  private final KnownKeys keys;
  private final TokenSettings settings;

  WellKnownResource(KnownKeys keys, TokenSettings settings) {
    this.keys = keys;
    this.settings = settings;
  }

  /** The metadata of RFC 8414. */
  record Metadata(
      String issuer,
      URI tokenEndpoint,
      URI revocationEndpoint,
      URI introspectionEndpoint,
      URI jwksUri,
      List<String> grantTypesSupported,
      List<String> responseTypesSupported,
      List<String> scopesSupported,
      List<String> tokenEndpointAuthMethodsSupported,
      List<String> revocationEndpointAuthMethodsSupported,
      List<String> introspectionEndpointAuthMethodsSupported,
      URI serviceDocumentation) {}

  /** Our public keys. */
  @GET
  @Open
  @SecurityRequirements
  @Path("jwks.json")
  @Operation(summary = "The public keys that verify access tokens, RFC 7517")
  public Uni<KnownKeys.Jwks> jwks() {
    return Uni.createFrom().item(keys.jwks());
  }

  /** Where our endpoints are. */
  @GET
  @Open
  @SecurityRequirements
  @Path("oauth-authorization-server")
  @Operation(summary = "The metadata of the token endpoints, RFC 8414")
  public Uni<Metadata> metadata(UriInfo asked) {
    var base =
        settings.issuer().equals(TokenSettings.DEFAULT_ISSUER)
            ? asked.getBaseUri()
            : URI.create(settings.issuer().replaceFirst("/+$", "") + "/");
    return Uni.createFrom()
        .item(
            new Metadata(
                settings.issuer(),
                base.resolve("oauth/token"),
                base.resolve("oauth/revoke"),
                base.resolve("oauth/introspect"),
                base.resolve(".well-known/jwks.json"),
                List.of("password", "client_credentials", "refresh_token"),
                List.of(),
                Arrays.stream(Permission.values()).map(Permission::wire).toList(),
                CLIENT_AUTHENTICATION,
                CLIENT_AUTHENTICATION,
                CLIENT_AUTHENTICATION,
                base.resolve("q/openapi")));
  }
}
