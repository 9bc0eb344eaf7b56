package dev.fencepost.command;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.fencepost.EventStream;
import dev.fencepost.LoggedIn;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The stream of commands as a device reads it. */
@QuarkusTest
class StreamTest {

  private static final int PATIENCE_SECONDS = 30;

  @Inject SseChannel channel;
  @Inject CommandViewStore views;

  @TestHTTPResource("/")
  URI here;

  private final String device = "sse-" + UUID.randomUUID();

  @Test
  void what_is_outstanding_comes_first_and_then_what_is_new() {
    var first = stopped("1");
    command(first).body("status", equalTo("pending")).body("sends", equalTo(0));
    try (var stream = stream(null)) {
      assertThat(stream.next()).isEqualTo(first);
      var second = stopped("2");
      assertThat(stream.next()).isEqualTo(second);
      command(second).body("status", equalTo("sent")).body("sends", equalTo(1));
      assertThat(stream.lines()).anyMatch(line -> line.startsWith(":"));
      assertThat(stream.lines()).contains("event:command", "id:" + first);
      assertThat(stream.lines())
          .anyMatch(line -> line.startsWith("data:") && line.contains("\"type\":\"stop_stream\""));
    }
  }

  @Test
  void an_unanswered_command_comes_again_under_the_same_id_and_an_answered_one_does_not() {
    try (var stream = stream(null)) {
      var id = stopped("1");
      assertThat(stream.next()).isEqualTo(id);
      assertThat(stream.next()).as("after the pause of 5 s").isEqualTo(id);
      given().post("/v1/commands/" + id + "/ack").then().statusCode(204);
      var other = stopped("2");
      assertThat(stream.next()).isEqualTo(other);
      command(id).body("sends", equalTo(2));
    }
  }

  @Test
  void a_device_that_comes_back_names_what_it_has_at_hand_and_is_told_the_rest() {
    var first = stopped("1");
    try (var stream = stream(null)) {
      assertThat(stream.next()).isEqualTo(first);
      given().post("/v1/commands/" + first + "/ack").then().statusCode(204);
    }
    until(() -> !channel.isConnected(device));
    var second = stopped("2");
    try (var stream = stream(first)) {
      assertThat(stream.next()).isEqualTo(second);
    }
    try (var stream = stream("c0-unknown")) {
      assertThat(List.of(stream.next(), stream.next())).containsExactly(first, second);
    }
  }

  @Test
  void a_device_that_went_is_not_sent_to() {
    try (var stream = stream(null)) {
      until(() -> channel.isConnected(device));
      assertThat(stream.lines()).isNotNull();
    }
    until(() -> !channel.isConnected(device));
    var id = stopped("1");
    command(id).body("status", equalTo("pending")).body("sends", equalTo(0));
  }

  @Test
  void a_device_that_does_not_read_is_cut_off() {
    var slow = AssertSubscriber.<Optional<Command>>create(1);
    channel.connect(device, Uni.createFrom().item(true)).subscribe().withSubscriber(slow);
    assertThat(slow.awaitItems(1).getItems()).hasSize(1);
    var command = await(views.find(stopped("1"))).orElseThrow();
    for (var i = 0; i < 200; i++) {
      await(channel.send(command));
    }
    slow.awaitFailure(failure -> assertThat(failure).isInstanceOf(BackPressureFailure.class));
    assertThat(channel.isConnected(device)).isFalse();
  }

  @Test
  void whose_name_is_none_gets_no_stream() {
    given().get("/v1/devices/-x/commands/stream").then().statusCode(400);
  }

  private String stopped(String session) {
    var path = "/v1/devices/" + device + "/live";
    given().body("{\"session_id\": \"" + session + "\"}").post(path).then().statusCode(201);
    return given().post(path + "/stop").then().statusCode(200).extract().path("command_id");
  }

  private static ValidatableResponse command(String id) {
    return given().get("/v1/commands/" + id).then().statusCode(200);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(PATIENCE_SECONDS));
  }

  private static void until(BooleanSupplier condition) {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private EventStream stream(@Nullable String lastEventId) {
    var request =
        HttpRequest.newBuilder(here.resolve("/v1/devices/" + device + "/commands/stream"))
            .timeout(Duration.ofSeconds(PATIENCE_SECONDS));
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    return new EventStream(LoggedIn.asAdmin(request.build()));
  }
}
