package dev.fencepost.kernel.identity.grant;

import dev.fencepost.kernel.identity.Callers;
import dev.fencepost.kernel.identity.Open;
import dev.fencepost.kernel.identity.access.ProveCaller;
import dev.fencepost.kernel.identity.grant.OAuthRefused.Code;
import dev.fencepost.kernel.identity.token.TokenRefused;
import dev.fencepost.platform.http.Refused;
import dev.fencepost.platform.redis.RedisUnavailable;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.server.Cancellable;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Tokens, in the words of OAuth 2: RFC 6749, 7009 and 7662. */
@Path("/oauth")
@Consumes(MediaType.APPLICATION_FORM_URLENCODED)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Tokens", description = "OAuth 2: how a client gets, renews and gives back tokens")
@RegisterForReflection(targets = {TokenAnswer.class, OAuthProblem.class})
class OAuthResource {

  private static final String BEARER = "Bearer ";
  private static final int UNAUTHORIZED = 401;

  private final GiveTokens giveTokens;
  private final EndTokens endTokens;
  private final ProveClient proveClient;
  private final ProveCaller proveCaller;
  private final Callers callers;

  OAuthResource(
      GiveTokens giveTokens,
      EndTokens endTokens,
      ProveClient proveClient,
      ProveCaller proveCaller,
      Callers callers) {
    this.giveTokens = giveTokens;
    this.endTokens = endTokens;
    this.proveClient = proveClient;
    this.proveCaller = proveCaller;
    this.callers = callers;
  }

  /** Gives out tokens. */
  @POST
  @Cancellable(false)
  @Open
  @SecurityRequirements
  @Path("token")
  @Operation(
      summary = "Get tokens",
      description =
          "grant_type=password with username and password; grant_type=client_credentials with"
              + " client_id and client_secret, in the form or as HTTP Basic;"
              + " grant_type=refresh_token with refresh_token.")
  @APIResponse(responseCode = "200", description = "RFC 6749, section 5.1")
  @APIResponse(responseCode = "400", description = "RFC 6749, section 5.2")
  @APIResponse(responseCode = "401", description = "The client's secret is wrong")
  @APIResponse(responseCode = "429", description = "Too many logins failed of late")
  public Uni<Response> token(
      @Nullable MultivaluedMap<String, String> fields,
      @HeaderParam("Authorization") @Nullable String authorization,
      RoutingContext request) {
    var form = new OAuthForm(fields);
    var origin = callers.origin(request);
    var grantType = form.require("grant_type");
    return proveClient
        .prove(form, authorization, origin)
        .flatMap(
            client ->
                switch (grantType) {
                  case "password" -> giveTokens.forPassword(form, client, origin);
                  case "client_credentials" -> giveTokens.forClient(client, origin);
                  case "refresh_token" -> giveTokens.forRefresh(form, client, origin);
                  default ->
                      throw new OAuthRefused(
                          Code.UNSUPPORTED_GRANT_TYPE,
                          "grant_type is password, client_credentials or refresh_token");
                })
        .map(OAuthResource::fresh);
  }

  /** Takes a token back. */
  @POST
  @Cancellable(false)
  @Open
  @SecurityRequirements
  @Path("revoke")
  @Operation(
      summary = "Give a token back",
      description =
          "Whoever holds a token may. With a refresh token its whole login ends. Always 200, also"
              + " for a token that is none (RFC 7009).")
  @APIResponse(responseCode = "200", description = "It is not good any more, if it ever was")
  public Uni<Response> revoke(
      @Nullable MultivaluedMap<String, String> fields,
      @HeaderParam("Authorization") @Nullable String authorization,
      RoutingContext request) {
    var form = new OAuthForm(fields);
    var token = form.require("token");
    var origin = callers.origin(request);
    return proveClient
        .prove(form, authorization, origin)
        .flatMap(client -> endTokens.revoke(token, origin))
        .map(done -> noStore(Response.ok()).build());
  }

  /** Says whether a token is good. */
  @POST
  @Cancellable(false)
  @Open
  @SecurityRequirements
  @Path("introspect")
  @Operation(
      summary = "Ask whether a token is good",
      description =
          "For clients, by client_id and client_secret, and for holders of an access token"
              + " (RFC 7662).")
  @APIResponse(responseCode = "401", description = "Who asks is not proven")
  public Uni<Response> introspect(
      @Nullable MultivaluedMap<String, String> fields,
      @HeaderParam("Authorization") @Nullable String authorization,
      RoutingContext request) {
    var form = new OAuthForm(fields);
    var token = form.require("token");
    return requireSomebody(form, authorization, request)
        .flatMap(known -> endTokens.introspect(token))
        .map(OAuthResource::fresh);
  }

  private Uni<?> requireSomebody(
      OAuthForm form, @Nullable String authorization, RoutingContext request) {
    if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return proveCaller
          .prove(authorization.substring(BEARER.length()).strip())
          .onFailure(TokenRefused.class)
          .transform(refused -> notProven());
    }
    return proveClient
        .prove(form, authorization, callers.origin(request))
        .map(client -> client.user().orElseThrow(OAuthResource::notProven));
  }

  @ServerExceptionMapper
  Response refused(OAuthRefused refused) {
    var error = refused.error();
    var name = error == Code.SLOW_DOWN ? Code.TEMPORARILY_UNAVAILABLE.name() : error.name();
    var response =
        noStore(Response.status(error.status()))
            .entity(new OAuthProblem(name.toLowerCase(Locale.ROOT), refused.description()));
    if (error.status() == UNAUTHORIZED) {
      response.header("WWW-Authenticate", "Basic realm=\"fencepost\"");
    }
    refused
        .retryAfter()
        .ifPresent(wait -> response.header("Retry-After", 1 + wait.minusMillis(1).toSeconds()));
    return response.build();
  }

  @ServerExceptionMapper
  Response away(RedisUnavailable away) {
    return refused(later("a store does not answer; try again"));
  }

  @ServerExceptionMapper
  Response refused(Refused refused) {
    return refused(
        refused.type().mayPass()
            ? later(refused.detail())
            : new OAuthRefused(Code.INVALID_REQUEST, refused.detail()));
  }

  private static OAuthRefused later(String why) {
    return new OAuthRefused(Code.TEMPORARILY_UNAVAILABLE, why, Duration.ofSeconds(1));
  }

  private static OAuthRefused notProven() {
    return new OAuthRefused(
        Code.INVALID_CLIENT, "who asks must give a client's secret or an access token");
  }

  private static Response fresh(Object answer) {
    return noStore(Response.ok(answer)).build();
  }

  private static Response.ResponseBuilder noStore(Response.ResponseBuilder response) {
    return response
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header("Cache-Control", "no-store")
        .header("Pragma", "no-cache");
  }
}
