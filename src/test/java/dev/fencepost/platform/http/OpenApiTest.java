package dev.fencepost.platform.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
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
