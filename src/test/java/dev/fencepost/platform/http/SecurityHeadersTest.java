package dev.fencepost.platform.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a browser is told about each kind of answer. */
@QuarkusTest
class SecurityHeadersTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/v1/assets", "/v1/tickets/none", "/q/health", "/q/swagger-ui/", "/nowhere"})
  void every_answer_keeps_browsers_from_guessing_and_framing(String path) {
    var answer = given().get(path);

    assertThat(answer.headers().getValues("X-Content-Type-Options")).containsExactly("nosniff");
    assertThat(answer.headers().getValues("X-Frame-Options")).containsExactly("DENY");
    assertThat(answer.headers().getValues("Referrer-Policy")).containsExactly("no-referrer");
    assertThat(answer.header("Content-Security-Policy")).contains("frame-ancestors 'none'");
    assertThat(answer.header("Strict-Transport-Security")).isNull();
  }

  @Test
  void data_runs_nothing_and_is_not_kept() {
    var answer = given().get("/v1/assets");

    assertThat(answer.header("Content-Security-Policy"))
        .isEqualTo("default-src 'none'; frame-ancestors 'none'");
    assertThat(answer.headers().getValues("Cache-Control")).containsExactly("no-store");
  }

  @Test
  void only_swagger_ui_may_run_a_script_in_its_page() {
    assertThat(given().get("/q/swagger-ui/").header("Content-Security-Policy"))
        .contains("script-src 'self' 'unsafe-inline'");
    assertThat(given().get("/").header("Content-Security-Policy")).doesNotContain("script-src");
    assertThat(given().get("/").asString()).doesNotContain("<script");
  }

  @Test
  void no_other_origin_is_let_in() {
    var simple = given().header("Origin", "https://elsewhere.example").get("/v1/assets");
    var preflight =
        given()
            .header("Origin", "https://elsewhere.example")
            .header("Access-Control-Request-Method", "PUT")
            .options("/v1/assets/a");

    assertThat(simple.header("Access-Control-Allow-Origin")).isNull();
    assertThat(preflight.header("Access-Control-Allow-Origin")).isNull();
    assertThat(preflight.header("Access-Control-Allow-Methods")).isNull();
  }
}
