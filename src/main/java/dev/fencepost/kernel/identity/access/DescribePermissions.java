package dev.fencepost.kernel.identity.access;

import dev.fencepost.kernel.identity.Needs;
import dev.fencepost.kernel.identity.Permission;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.security.SecurityRequirement;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.IndexView;

/**
 * Writes into the document who may call what, as {@link Needs} has it, and what the others hear. It
 * runs when the service is built, so a native image has it too.
 */
@OpenApiFilter(value = OpenApiFilter.RunStage.BUILD, priority = DescribePermissions.LAST)
public class DescribePermissions implements OASFilter {

  /** After those who add to all answers of an operation: what they say is not true of refusals. */
  static final int LAST = 0;

  private final Map<String, List<String>> permissions;

  /** What each operation needs, by its class and method: so they are called by configuration. */
  public DescribePermissions(IndexView index) {
    permissions =
        index.getAnnotations(Needs.class).stream()
            .map(needs -> Map.entry(operationId(needs), permissions(needs)))
            .distinct() // an index may hold a class twice
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public Operation filterOperation(Operation operation) {
    var needed = permissions.get(operation.getOperationId());
    if (needed != null) {
      describe(operation, needed);
    }
    operation.setOperationId(null); // a name of our code, which no client should depend on
    return operation;
  }

  private static void describe(Operation operation, List<String> needed) {
    var sentence =
        "Needs: %s.".formatted(needed.isEmpty() ? "any access token" : String.join(" or ", needed));
    operation.setDescription(
        Stream.of(operation.getDescription(), sentence)
            .filter(Objects::nonNull)
            .collect(Collectors.joining("\n\n")));
    if (!needed.isEmpty()) {
      operation.setSecurity(needed.stream().flatMap(DescribePermissions::either).toList());
      answer(operation, "403", refusal("The caller lacks the permission"));
    }
    answer(
        operation,
        "401",
        refusal("No valid access token came")
            .addHeader("WWW-Authenticate", header(SchemaType.STRING, "RFC 6750")));
    answer(
        operation,
        "429",
        refusal("The caller asks faster than it may")
            .addHeader("Retry-After", header(SchemaType.INTEGER, "Seconds to wait")));
  }

  /** A permission is good in a token of either kind. */
  private static Stream<SecurityRequirement> either(String permission) {
    return Stream.of(DescribeSecurity.BEARER, DescribeSecurity.PASSWORD)
        .map(scheme -> OASFactory.createSecurityRequirement().addScheme(scheme, permission));
  }

  private static void answer(Operation operation, String status, APIResponse answer) {
    if (operation.getResponses().getAPIResponse(status) == null) {
      operation.getResponses().addAPIResponse(status, answer);
    }
  }

  private static APIResponse refusal(String description) {
    return OASFactory.createAPIResponse().description(description);
  }

  private static Header header(SchemaType type, String description) {
    return OASFactory.createHeader()
        .description(description)
        .schema(OASFactory.createSchema().type(List.of(type)));
  }

  private static String operationId(AnnotationInstance needs) {
    var method = needs.target().asMethod();
    return method.declaringClass().name() + "_" + method.name();
  }

  private static List<String> permissions(AnnotationInstance needs) {
    return Arrays.stream(needs.value().asEnumArray())
        .map(Permission::valueOf)
        .map(Permission::wire)
        .toList();
  }
}
