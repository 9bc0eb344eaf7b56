package dev.fencepost.kernel.identity.access;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

/** Tells the OpenAPI document how to get in, so that Swagger UI can. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class DescribeSecurity implements OASFilter {

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
