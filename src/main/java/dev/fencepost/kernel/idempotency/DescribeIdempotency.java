package dev.fencepost.kernel.idempotency;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** Writes what every POST has in common into the document, so that no endpoint forgets it. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class DescribeIdempotency implements OASFilter {

  private static final int LONGEST = 257;

  private static final Map<String, String> ANSWERS =
      Map.of(
          "400", "The request, or its Idempotency-Key, is malformed",
          "409", "The first request with this key is still running; or as the endpoint says",
          "422", "The key belongs to another request");

  @Override
  public void filterOpenAPI(OpenAPI document) {
    document.getPaths().getPathItems().entrySet().stream()
        .filter(path -> path.getKey().startsWith("/v1/"))
        .map(Map.Entry::getValue)
        .map(PathItem::getPOST)
        .filter(post -> post != null)
        .forEach(DescribeIdempotency::describe);
  }

  private static void describe(Operation post) {
    post.addParameter(header());
    ANSWERS.forEach(
        (status, description) -> {
          var known = post.getResponses().getAPIResponse(status);
          if (known == null) {
            post.getResponses().addAPIResponse(status, answer(description));
          }
        });
    post.getResponses().getAPIResponses().values().forEach(DescribeIdempotency::addReplayed);
  }

  private static Parameter header() {
    return OASFactory.createParameter()
        .name(IdempotencyKey.HEADER)
        .in(Parameter.In.HEADER)
        .required(false)
        .description(
            "One key per intention, the same with every repeat: the request is carried out once"
                + " and its answer repeated byte for byte for 24 hours. A string of RFC 8941, or"
                + " the bare characters.")
        .schema(OASFactory.createSchema().type(List.of(SchemaType.STRING)).maxLength(LONGEST))
        .example("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"");
  }

  private static APIResponse answer(String description) {
    return OASFactory.createAPIResponse().description(description);
  }

  private static void addReplayed(APIResponse answer) {
    answer.addHeader(
        Answers.REPLAYED,
        OASFactory.createHeader()
            .description("With a key: whether this is the stored answer")
            .schema(OASFactory.createSchema().type(List.of(SchemaType.BOOLEAN))));
  }
}
