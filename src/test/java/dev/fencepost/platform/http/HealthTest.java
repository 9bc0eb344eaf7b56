package dev.fencepost.platform.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.chaos.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each probe asks, and what it does not. */
@QuarkusTest
class HealthTest {

  @Test
  void readiness_names_each_store_and_its_state() {
    var ready = health("ready");

    assertThat(ready.getString("status")).isEqualTo("UP");
    assertThat(stateOf(ready, "redis")).isEqualTo("available");
    assertThat(stateOf(ready, "postgresql")).isEqualTo("available");
  }

  @Test
  void liveness_asks_no_store() {
    assertThat(names(health("live")))
        .noneMatch(
            name ->
                name.toLowerCase(java.util.Locale.ROOT)
                    .matches(".*(redis|postgres|feed|advisor).*"));
  }

  @Test
  void started_is_who_knows_its_advisories_and_feeds() {
    Patience.until(
        "it has started",
        Duration.ofSeconds(60),
        () -> given().get("/q/health/started").statusCode() == 200);
    var started = health("started");

    assertThat(names(started)).contains("advisories", "feeds");
    assertThat(stateOf(started, "advisories")).contains(" records, ");
    assertThat(started.getString("checks.find { it.name == 'feeds' }.data.kev")).contains("loaded");
    assertThat(started.getString("checks.find { it.name == 'feeds' }.data.epss"))
        .contains("loaded");
  }

  private static JsonPath health(String kind) {
    return given().get("/q/health/" + kind).jsonPath();
  }

  private static List<String> names(JsonPath health) {
    return health.getList("checks.name");
  }

  private static String stateOf(JsonPath health, String check) {
    return health.getString("checks.find { it.name == '" + check + "' }.data.state");
  }
}
