package dev.fencepost.assessment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencepost.platform.redis.RedisRoad;
import dev.fencepost.platform.redis.WatchedRoad;
import dev.fencepost.platform.redis.WatchedRoad.Fault;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Loses every script call of an assessment, in both ways, and lets a successor carry on. */
@QuarkusTest
class CrashTest {

  /** open, online, findings, decision, end. */
  private static final int SCRIPTS = 5;

  private static final int LOOKS = 200;

  @Inject WatchedRoad road;
  @Inject RedisRoad redis;
  @Inject TicketStore tickets;
  @Inject dev.fencepost.kernel.fence.Lanes lanes;

  @ConfigProperty(name = "test.webhook")
  String webhook;

  @TestHTTPResource("/")
  URI here;

  private final String asset = "crash-" + UUID.randomUUID();

  static Stream<Arguments> everyLoss() {
    return IntStream.rangeClosed(1, SCRIPTS)
        .boxed()
        .flatMap(nth -> Arrays.stream(Fault.values()).map(fault -> Arguments.of(nth, fault)));
  }

  @ParameterizedTest(name = "script {0}, {1}")
  @MethodSource("everyLoss")
  void a_successor_finishes_what_a_crashed_holder_began(int nth, Fault fault)
      throws InterruptedException {
    register();
    road.lose(nth, fault, operands -> operands.contains(asset));

    var first = ask().statusCode();
    assertThat(first).isEqualTo(nth == 1 ? 503 : 202);
    Thread.sleep(200); // until the run that loses its way has ended
    expireLease();

    var ticket = finishedTicket();

    assertThat(given().get("/v1/tickets?asset_id=" + asset).<java.util.List<?>>path("items"))
        .hasSize(1);
    var keys =
        given()
            .get(webhook + "/seen")
            .asString()
            .lines()
            .filter(line -> line.startsWith(ticket))
            .map(line -> line.substring(0, line.indexOf(' ')))
            .toList();
    assertThat(keys).isNotEmpty().containsOnly(ticket + ":ops");
    assertThat(keys).hasSizeLessThanOrEqualTo(2);
  }

  private String finishedTicket() throws InterruptedException {
    for (var look = 0; look < LOOKS; look++) {
      var answer = ask();
      if (answer.statusCode() == 200) {
        assertThat(answer.<String>path("status")).isEqualTo("FINISHED");
        return answer.path("ticket_id");
      }
      Thread.sleep(50);
    }
    throw new AssertionError("the ticket did not end");
  }

  private io.restassured.response.Response ask() {
    return given().post("/v1/assets/{id}/assessments", asset);
  }

  /** The holder is dead: its lease runs out, and its agenda entry is due. */
  private void expireLease() {
    var lane = lanes.of(asset);
    redis
        .send(
            Request.cmd(Command.HGET).arg(new TicketKeys(lane, asset, "").asset()).arg("ticket_id"))
        .flatMap(
            id -> {
              if (id == null) {
                return io.smallrye.mutiny.Uni.createFrom().nullItem();
              }
              var keys = new TicketKeys(lane, asset, id.toString());
              return redis
                  .send(Request.cmd(Command.DEL).arg(keys.lease()))
                  .flatMap(
                      done ->
                          redis.send(
                              Request.cmd(Command.ZADD)
                                  .arg(keys.agenda())
                                  .arg("XX")
                                  .arg(1)
                                  .arg(keys.entry())));
            })
        .await()
        .atMost(Duration.ofSeconds(5));
  }

  private void register() {
    given()
        .contentType("application/json")
        .body("{\"address\": \"tcp://127.0.0.1:" + here.getPort() + "\"}")
        .put("/v1/assets/{id}", asset);
    given()
        .contentType("application/json")
        .body(
            "{\"components\": [{\"purl\":"
                + " \"pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1\"}]}")
        .put("/v1/assets/{id}/inventory", asset)
        .then()
        .statusCode(200);
  }
}
