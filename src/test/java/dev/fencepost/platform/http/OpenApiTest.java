package dev.fencepost.platform.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The document says what the service does: same paths, same names of fields. */
@QuarkusTest
class OpenApiTest {

  @Test
  void every_path_of_the_contract_that_is_built_is_documented() {
    assertThat(given().get("/q/openapi").asString())
        .contains(
            "/v1/assets/{asset_id}:",
            "/v1/assets/{asset_id}/inventory:",
            "/v1/assets/{asset_id}/assessments:",
            "/v1/tickets:",
            "/v1/tickets/{ticket_id}:",
            "/v1/tickets/{ticket_id}/events:",
            "/v1/tickets/{ticket_id}/retry:",
            "/v1/tickets/{ticket_id}/corrections:",
            "/v1/tickets/{ticket_id}/notifications/{channel}/settle:",
            "/v1/devices/{device_id}/live:",
            "/v1/devices/{device_id}/live/heartbeat:",
            "/v1/devices/{device_id}/live/stop:",
            "/v1/live:",
            "/v1/commands/{command_id}:",
            "/v1/commands/{command_id}/ack:",
            "/v1/commands/{command_id}/applied:",
            "/v1/devices/{device_id}/commands:",
            "/v1/devices/{device_id}/commands/stream:",
            "/v1/idempotency-keys/{key}:");
  }

  @Test
  void every_post_takes_an_idempotency_key_and_says_what_may_come_of_it() {
    Map<String, Map<String, Map<String, Object>>> paths =
        given().get("/q/openapi?format=json").path("paths");
    var posts =
        paths.entrySet().stream()
            .filter(path -> path.getKey().startsWith("/v1/") && path.getValue().containsKey("post"))
            .map(path -> path.getValue().get("post"))
            .toList();
    assertThat(posts)
        .hasSizeGreaterThanOrEqualTo(4)
        .allSatisfy(
            post -> {
              assertThat(post.get("parameters").toString()).contains("name=Idempotency-Key");
              assertThat(post.get("responses").toString())
                  .contains("409=", "422=", "X-Idempotent-Replayed");
            });
  }

  @Test
  @SuppressWarnings("unchecked") // JSON
  void every_operation_says_what_it_needs_and_how_it_refuses() {
    var document = given().get("/q/openapi?format=json").jsonPath();
    Map<String, Map<String, Map<String, Object>>> paths = document.getMap("paths");
    Map<String, String> scopes =
        document.getMap("components.securitySchemes.password.flows.password.scopes");
    var closed = new ArrayList<Map<String, Object>>();
    paths.forEach(
        (path, operations) ->
            operations.forEach(
                (method, operation) -> {
                  if (operation.get("responses") != null && path.startsWith("/v1/")) {
                    closed.add(operation);
                  }
                }));
    assertThat(closed)
        .hasSizeGreaterThan(25)
        .allSatisfy(
            operation -> {
              assertThat(operation).doesNotContainKey("operationId");
              var description = operation.get("description").toString();
              var responses = (Map<?, ?>) operation.get("responses");
              assertThat(responses.keySet()).asString().contains("401", "429");
              assertThat(responses.get("401").toString()).doesNotContain("Replayed");
              if (description.endsWith("Needs: any access token.")) {
                assertThat(operation.get("security")).isNull();
                return;
              }
              assertThat(responses.keySet()).asString().contains("403");
              var either = (List<Map<String, List<String>>>) operation.get("security");
              var named =
                  either.stream()
                      .flatMap(requirement -> requirement.values().stream())
                      .flatMap(List::stream)
                      .distinct()
                      .toList();
              assertThat(description).endsWith("Needs: " + String.join(" or ", named) + ".");
              assertThat(scopes).containsKeys(named.toArray(new String[0]));
            });
  }

  @Test
  void what_is_open_to_anyone_needs_nothing() {
    Map<String, Object> token =
        given().get("/q/openapi?format=json").path("paths.'/oauth/token'.post");
    assertThat(token.get("security")).isEqualTo(List.of());
    assertThat(token.get("description").toString()).doesNotContain("Needs:");
  }

  @Test
  void fields_are_documented_under_the_names_they_have_in_json() {
    assertThat(given().get("/q/openapi").asString())
        .contains(
            "ticket_id:",
            "command_issued:",
            "stale_writes_refused:",
            "known_exploited:",
            "display_name:")
        .doesNotContain("ticketId:", "displayName:", "staleWritesRefused:");
  }

  @Test
  void the_first_page_links_the_documents() {
    assertThat(given().get("/").then().statusCode(200).extract().asString())
        .contains("/q/openapi", "/q/swagger-ui", "/q/health", "/q/metrics");
  }
}
