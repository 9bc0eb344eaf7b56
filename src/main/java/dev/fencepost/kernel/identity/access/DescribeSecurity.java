package dev.fencepost.kernel.identity.access;

import dev.fencepost.kernel.identity.Permission;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

/** Tells the OpenAPI document how to get in, so that Swagger UI can. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class DescribeSecurity implements OASFilter {

  static final String BEARER = "bearer";
  static final String PASSWORD = "password";

  /** What the framework hands to a method is no body of its request, though it is taken for one. */
  private static final Set<String> HANDED_IN = Set.of("RoutingContext", "Sse");

  @Override
  public Operation filterOperation(Operation operation) {
    var body = operation.getRequestBody();
    if (body != null && body.getContent() != null) {
      var handedIn =
          body.getContent().getMediaTypes().values().stream()
              .map(type -> type.getSchema() == null ? null : type.getSchema().getRef())
              .anyMatch(ref -> ref != null && HANDED_IN.contains(ref.replaceFirst(".*/", "")));
      if (handedIn) {
        operation.setRequestBody(null);
      }
    }
    return operation;
  }

  @Override
  public void filterOpenAPI(OpenAPI api) {
    if (api.getComponents() == null) {
      api.setComponents(OASFactory.createComponents());
    }
    api.getComponents()
        .addSecurityScheme(
            BEARER,
            OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .bearerFormat("JWT")
                .description("An access token of /oauth/token"))
        .addSecurityScheme(
            PASSWORD,
            OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.OAUTH2)
                .description("User and password; Swagger UI gets the token by itself")
                .flows(
                    OASFactory.createOAuthFlows()
                        .password(
                            OASFactory.createOAuthFlow()
                                .tokenUrl("/oauth/token")
                                .refreshUrl("/oauth/token")
                                .scopes(scopes()))));
    api.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme(BEARER));
    api.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme(PASSWORD));
  }

  /** All there are: a login gets whatever its user has. */
  private static Map<String, String> scopes() {
    return Arrays.stream(Permission.values())
        .collect(Collectors.toMap(Permission::wire, scope -> "", (a, b) -> a, TreeMap::new));
  }
}
