package dev.fencepost.kernel.identity.access;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

/** Tells the OpenAPI document how to get in, so that Swagger UI can. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class DescribeSecurity implements OASFilter {

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
            "bearer",
            OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .bearerFormat("JWT")
                .description("An access token of /oauth/token"))
        .addSecurityScheme(
            "password",
            OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.OAUTH2)
                .description("User and password; Swagger UI gets the token by itself")
                .flows(
                    OASFactory.createOAuthFlows()
                        .password(
                            OASFactory.createOAuthFlow()
                                .tokenUrl("/oauth/token")
                                .refreshUrl("/oauth/token"))));
    api.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme("bearer"));
    api.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme("password"));
  }
}
