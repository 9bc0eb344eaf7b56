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
import java.io.InputStreamReader;
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
  void more_bodies_than_may_be_on_their_way_are_refused_at_once_and_take_no_place_from_others()
      throws IOException {
    try (var first = unfinished();
        var second = unfinished()) {
      eventually(() -> metric("fencepost_requests_receiving") == 2);
      assertThat(calm(() -> given().get(ANYTHING)).statusCode()).isEqualTo(404);
      assertThat(working()).isZero();
      var limited = metric("fencepost_requests_limited_total");
      eventually(
          () -> {
            var refused = given().body("{}").post(ANYTHING);
            return refused.statusCode() == 429 && refused.asString().contains("2 bodies may be");
          });
      assertThat(metric("fencepost_requests_limited_total")).isGreaterThan(limited);
    }
    eventually(() -> metric("fencepost_requests_receiving") == 0);
  }

  @Test
  void a_body_that_takes_too_long_is_cut_off() throws IOException {
    try (var slow = unfinished()) {
      slow.setSoTimeout((int) PATIENCE.toMillis());
      var answer = new String(slow.getInputStream().readAllBytes(), UTF_8);

      assertThat(answer)
          .startsWith("HTTP/1.1 408 ")
          .contains("urn:fencepost:problem:request-timeout", "within 2000 ms");
    }
    eventually(() -> metric("fencepost_requests_receiving") == 0);
  }

  @Test
  void those_that_wait_take_no_place_from_those_that_work() throws IOException {
    try (var stream = following();
        var reader = new InputStreamReader(stream.getInputStream(), UTF_8)) {
      eventually(() -> metric("fencepost_requests_waiting") == 1);
      assertThat(working()).isZero();

      assertThat(calm(() -> given().get(ANYTHING)).statusCode()).isEqualTo(404);
      assertThat(calm(() -> given().get("/v1/devices/second/commands/stream")).statusCode())
          .isEqualTo(503);
      assertThat(reader.ready()).as("the first goes on").isTrue();
    }
    eventually(() -> metric("fencepost_requests_waiting") == 0);
  }

  @Test
  void who_only_says_that_it_waits_is_counted_as_one_that_works() {
    var most = metric("fencepost_requests_waiting");

    assertThat(
            calm(() ->
                    given()
                        .header("Prefer", "wait=20")
                        .header("Accept", "text/event-stream")
                        .get("/v1/tickets"))
                .statusCode())
        .isNotEqualTo(503);
    assertThat(metric("fencepost_requests_waiting")).isEqualTo(most);
  }

  @Test
  void a_header_beyond_the_limit_is_refused() {
    var answer = calm(() -> given().header("X-Long", "x".repeat(20_000)).get(ANYTHING));

    assertThat(answer.statusCode()).isEqualTo(431);
  }

  /** A request whose body does not come: it stays on its way. */
  private Socket unfinished() throws IOException {
    return begin(
        "POST /v1/assets/a/assessments",
        "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{");
  }

  private Socket following() throws IOException {
    return begin("GET /v1/devices/first/commands/stream", "Accept: text/event-stream\r\n\r\n");
  }

  private Socket begin(String request, String rest) throws IOException {
    calm(() -> given().get(ANYTHING));
    Patience.pause(UNTIL_SOMETHING_IS_LEFT_MS);
    var socket = new Socket(service.getHost(), service.getPort());
    var head =
        request
            + " HTTP/1.1\r\nHost: here\r\nAuthorization: "
            + LoggedIn.asAdmin(HttpRequest.newBuilder(service).build())
                .headers()
                .firstValue("Authorization")
                .orElseThrow()
            + "\r\n"
            + rest;
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
          "fencepost.limits.in-flight", "3",
          "fencepost.limits.receiving", "2",
          "fencepost.limits.waiting", "1",
          "fencepost.limits.body-timeout", "2s");
    }
  }
}
