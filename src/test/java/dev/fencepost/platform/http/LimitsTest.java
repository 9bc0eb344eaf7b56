package dev.fencepost.platform.http;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.LoggedIn;
import dev.fencepost.chaos.Patience;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One service with small limits, and more asked of it than it takes. */
@QuarkusTest
@TestProfile(LimitsTest.Small.class)
class LimitsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** At two requests per second, three. */
  private static final long UNTIL_SOMETHING_IS_LEFT_MS = 1_500;

  private static final String ANYTHING = "/v1/nothing-of-the-kind";

  @TestHTTPResource("/")
  URI service;

  @Test
  void who_asks_too_fast_is_told_how_fast_it_may() {
    var refused =
        IntStream.range(0, 1000)
            .mapToObj(i -> given().get(ANYTHING))
            .filter(answer -> answer.statusCode() == 429)
            .findFirst()
            .orElseThrow();

    assertThat(refused.contentType()).startsWith("application/problem+json");
    assertThat(refused.jsonPath().getString("type"))
        .isEqualTo("urn:fencepost:problem:too-many-requests");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(refused.header("RateLimit-Policy")).isEqualTo("\"caller\";q=10;w=5");
    assertThat(refused.header("RateLimit")).matches("\"caller\";r=0;t=\\d+");
    assertThat(refused.header("RateLimit-Limit")).isEqualTo("10");
    assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
  }

  @Test
  void after_the_pause_that_was_asked_for_it_goes_on() {
    IntStream.range(0, 20).forEach(i -> given().get(ANYTHING));

    eventually(() -> given().get(ANYTHING).statusCode() == 404);
  }

  @Test
  void every_answer_says_what_is_left() {
    assertThat(calm(() -> given().get(ANYTHING)).header("RateLimit"))
        .matches("\"caller\";r=\\d+;t=\\d+");
  }

  @Test
  void whoever_watches_is_never_refused() {
    assertThat(IntStream.range(0, 30))
        .allMatch(i -> given().get("/q/health/live").statusCode() == 200);
    assertThat(given().get("/q/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void more_requests_than_may_be_in_progress_are_refused_at_once() throws IOException {
    try (var first = unfinished("");
        var second = unfinished("")) {
      eventually(() -> working() == 2);
      var shed = metric("fencepost_requests_shed_total");

      var refused = calm(() -> given().get(ANYTHING));

      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.jsonPath().getString("type"))
          .isEqualTo("urn:fencepost:problem:overloaded");
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(metric("fencepost_requests_shed_total")).isGreaterThan(shed);
      assertThat(given().get("/q/health/live").statusCode()).isEqualTo(200);
    }
    eventually(() -> given().get(ANYTHING).statusCode() == 404);
    assertThat(working()).isZero();
  }

  @Test
  void those_that_wait_take_no_place_from_those_that_work() throws IOException {
    try (var waiting = unfinished("Prefer: wait=20\r\n")) {
      eventually(() -> metric("fencepost_requests_waiting") == 1);

      assertThat(calm(() -> given().get(ANYTHING)).statusCode()).isEqualTo(404);
      assertThat(calm(() -> given().header("Prefer", "wait=1").get(ANYTHING)).statusCode())
          .isEqualTo(503);
    }
    eventually(() -> metric("fencepost_requests_waiting") == 0);
  }

  @Test
  void a_header_beyond_the_limit_is_refused() {
    var answer = calm(() -> given().header("X-Long", "x".repeat(20_000)).get(ANYTHING));

    assertThat(answer.statusCode()).isEqualTo(431);
  }

  /** A request whose body does not come: it stays in progress. */
  private Socket unfinished(String header) throws IOException {
    calm(() -> given().get(ANYTHING));
    Patience.pause(UNTIL_SOMETHING_IS_LEFT_MS);
    var socket = new Socket(service.getHost(), service.getPort());
    var head =
        "POST /v1/assets/a/assessments HTTP/1.1\r\nHost: here\r\nAuthorization: "
            + LoggedIn.asAdmin(HttpRequest.newBuilder(service).build())
                .headers()
                .firstValue("Authorization")
                .orElseThrow()
            + "\r\n"
            + "Content-Type: application/json\r\nContent-Length: 10\r\n"
            + header
            + "\r\n{";
    socket.getOutputStream().write(head.getBytes(UTF_8));
    socket.getOutputStream().flush();
    return socket;
  }

  private static int working() {
    return metric("fencepost_requests_working");
  }

  private static int metric(String name) {
    return Stream.of(given().get("/q/metrics").asString().split("\n"))
        .filter(line -> line.startsWith(name + " "))
        .map(line -> (int) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** The first answer that is not about the budget, which other tests may have used up. */
  private static Response calm(java.util.function.Supplier<Response> call) {
    return Stream.generate(call)
        .limit(5000)
        .filter(answer -> answer.statusCode() != 429)
        .findFirst()
        .orElseThrow();
  }

  private static void eventually(BooleanSupplier condition) {
    var end = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(end);
    }
  }

  /** Limits that a test reaches. */
  public static final class Small implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "fencepost.limits.requests-per-second", "2",
          "fencepost.limits.burst", "10",
          "fencepost.limits.in-flight", "2",
          "fencepost.limits.waiting", "1");
    }
  }
}
