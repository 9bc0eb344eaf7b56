package dev.fencepost.assessment.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencepost.assessment.notification.Delivery.Delivered;
import dev.fencepost.assessment.notification.Delivery.InDoubt;
import dev.fencepost.assessment.notification.Delivery.Permanent;
import dev.fencepost.assessment.notification.Delivery.RetryLater;
import dev.fencepost.platform.outgoing.OutgoingHttp;
import dev.fencepost.platform.outgoing.TestDoors;
import dev.fencepost.platform.time.Entropy;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each receiver's answers, and silences, mean. */
class ChannelAnswersTest {

  private static final Path FIXTURES = Path.of("src/test/resources/fixtures/notify");
  private static final Vertx VERTX = Vertx.vertx();
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final OutgoingHttp http = TestDoors.http(VERTX);
  private Stub stub;

  @BeforeEach
  void start() throws IOException {
    stub = new Stub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @AfterAll
  static void close() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  static Stream<Arguments> answersInFixtures() throws IOException {
    var all = new ArrayList<Arguments>();
    all.addAll(answers("wecom-group-robot.json", ChannelType.WECOM));
    all.addAll(answers("dingtalk-robot.json", ChannelType.DINGTALK));
    all.addAll(answers("feishu-bot.json", ChannelType.FEISHU));
    all.addAll(answers("slack-incoming-webhook.json", ChannelType.SLACK));
    return all.stream();
  }

  private static List<Arguments> answers(String file, ChannelType type) throws IOException {
    var found = new ArrayList<Arguments>();
    for (var answer :
        new ObjectMapper().readTree(FIXTURES.resolve(file).toFile()).get("responses")) {
      found.add(Arguments.of(type, answer));
    }
    return found;
  }

  @ParameterizedTest
  @MethodSource("answersInFixtures")
  void every_answer_seen_in_the_world_has_its_meaning(ChannelType type, JsonNode answer) {
    var body = answer.has("text") ? answer.get("text").asText() : answer.get("body").toString();
    stub.answers(answer.get("http").asInt(), headers(answer), body);

    assertThat(deliver(type, LONG)).isInstanceOf(meaning(answer.get("class").asText()));
  }

  private static Map<String, String> headers(JsonNode answer) {
    var headers = new HashMap<String, String>();
    answer
        .path("headers")
        .properties()
        .forEach(entry -> headers.put(entry.getKey(), entry.getValue().asText()));
    return headers;
  }

  private static Class<? extends Delivery> meaning(String words) {
    if (words.startsWith("delivered")) {
      return Delivered.class;
    }
    return words.startsWith("permanent") ? Permanent.class : RetryLater.class;
  }

  @ParameterizedTest
  @CsvSource({
    "200, Delivered",
    "202, Delivered",
    "204, Delivered",
    "302, Permanent",
    "410, Permanent",
    "400, RetryLater",
    "404, RetryLater",
    "429, RetryLater",
    "500, RetryLater",
    "502, RetryLater",
    "503, RetryLater",
    "504, RetryLater"
  })
  void a_webhooks_status_decides(int status, String expected) {
    stub.answers(status, Map.of("Location", stub.url("/elsewhere")), "");

    assertThat(deliver(ChannelType.WEBHOOK, LONG).getClass().getSimpleName()).isEqualTo(expected);
    assertThat(stub.seen()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "WECOM, ''",
    "WECOM, '<html>ok</html>'",
    "WECOM, '{}'",
    "WECOM, '[]'",
    "WECOM, '{\"errcode\":\"0\"}'",
    "DINGTALK, ''",
    "DINGTALK, '{\"errmsg\":\"ok\"}'",
    "FEISHU, '{\"msg\":\"success\"}'",
    "FEISHU, 'null'",
    "SLACK, ''",
    "SLACK, 'okay'"
  })
  void http_200_without_the_receivers_own_word_is_in_doubt(ChannelType type, String body) {
    stub.answers(200, Map.of(), body);

    assertThat(deliver(type, LONG)).isInstanceOf(InDoubt.class);
  }

  @ParameterizedTest
  @CsvSource({"WECOM, errcode", "DINGTALK, errcode", "FEISHU, code"})
  void http_200_with_a_code_that_nobody_knows_is_no_success(ChannelType type, String field) {
    stub.answers(200, Map.of(), "{\"" + field + "\":987654}");

    assertThat(deliver(type, LONG)).isEqualTo(new RetryLater("code 987654", Duration.ZERO));
  }

  @Test
  void an_old_feishu_says_status_code() {
    stub.answers(200, Map.of(), "{\"StatusCode\":0,\"StatusMessage\":\"success\"}");

    assertThat(deliver(ChannelType.FEISHU, LONG)).isEqualTo(new Delivered());
  }

  @ParameterizedTest
  @EnumSource(ChannelType.class)
  void a_good_body_does_not_mend_a_bad_status(ChannelType type) {
    stub.answers(500, Map.of(), type == ChannelType.SLACK ? "ok" : "{\"errcode\":0,\"code\":0}");

    assertThat(deliver(type, LONG)).isInstanceOf(RetryLater.class);
  }

  @Test
  void dingtalk_punishes_for_ten_minutes() {
    stub.answers(200, Map.of(), "{\"errcode\":130101,\"errmsg\":\"send too fast\"}");
    var channel = channel(ChannelType.DINGTALK, stub.url("/x"), http);

    assertThat(channel.send(Alarms.high(), Alarms.EFFECT, false, LONG).await().atMost(LONG))
        .isEqualTo(new RetryLater("code 130101: send too fast", Duration.ofMinutes(10)));

    // Meanwhile nobody makes it worse: the next alarm waits without being sent.
    var next = channel.send(Alarms.high(), Alarms.EFFECT, false, SHORT).await().atMost(LONG);
    assertThat(next).isInstanceOf(RetryLater.class);
    assertThat(((RetryLater) next).notBefore())
        .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    assertThat(stub.seen()).hasSize(1);
  }

  @Test
  void feishu_says_in_its_own_header_when_its_limit_resets() {
    stub.answers(429, Map.of("x-ogw-ratelimit-reset", "52"), "{\"code\":99991400,\"msg\":\"m\"}");

    assertThat(deliver(ChannelType.FEISHU, LONG))
        .isEqualTo(new RetryLater("code 99991400: m", Duration.ofSeconds(52)));
  }

  @ParameterizedTest
  @CsvSource({
    "30, PT30S",
    "999999999, PT1H",
    "'Mon, 30 Nov 2026 12:01:30 GMT', PT1M30S",
    "'Mon, 30 Nov 2026 11:00:00 GMT', PT0S",
    "soon, PT1M"
  })
  void retry_after_is_honoured_within_reason(String header, Duration expected) {
    stub.answers(429, Map.of("Retry-After", header), "");

    assertThat(deliver(ChannelType.WEBHOOK, LONG)).isEqualTo(new RetryLater("http 429", expected));
    assertThat(deliver(ChannelType.SLACK, LONG)).isEqualTo(new RetryLater("http 429", expected));
  }

  @ParameterizedTest
  @EnumSource(ChannelType.class)
  void silence_after_the_request_leaves_it_in_doubt(ChannelType type) {
    stub.saysNothing();

    assertThat(deliver(type, SHORT)).isInstanceOf(InDoubt.class);
  }

  @ParameterizedTest
  @EnumSource(ChannelType.class)
  void a_refused_connection_is_retried_because_nothing_left(ChannelType type) throws IOException {
    var channel = channel(type, "http://127.0.0.1:" + closedPort() + "/s3cret-token", http);
    var delivery = channel.send(Alarms.high(), Alarms.EFFECT, false, LONG).await().atMost(LONG);

    assertThat(delivery).isInstanceOf(RetryLater.class);
    assertThat(delivery.toString()).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @EnumSource(ChannelType.class)
  void a_forbidden_address_is_never_reached(ChannelType type) {
    var channel = channel(type, stub.url("/s3cret-token"), TestDoors.http(VERTX, List.of()));
    var delivery = channel.send(Alarms.high(), Alarms.EFFECT, false, LONG).await().atMost(LONG);

    assertThat(delivery).isInstanceOf(Permanent.class);
    assertThat(delivery.toString()).contains("fencepost.probe.allow").doesNotContain("s3cret");
    assertThat(stub.seen()).isEmpty();
  }

  @Test
  void a_robot_that_quotes_its_url_gives_nothing_away() {
    stub.answers(200, Map.of(), "{\"errcode\":93000,\"errmsg\":\"bad key=s3cret-token\"}");

    assertThat(deliver(ChannelType.WECOM, LONG))
        .isEqualTo(new Permanent("code 93000: bad key=***"));
  }

  @Test
  void a_used_up_budget_is_told_and_nothing_is_sent() {
    stub.answers(200, Map.of(), "{\"errcode\":0}");
    var channel = channel(ChannelType.WECOM, stub.url("/x"), http);
    var second = Duration.ofSeconds(1);
    for (var i = 0; i < 5; i++) {
      channel.send(Alarms.high(), Alarms.EFFECT, false, LONG).await().atMost(LONG);
    }

    assertThat(channel.send(Alarms.high(), Alarms.EFFECT, false, second).await().atMost(LONG))
        .isEqualTo(new RetryLater("the rate budget is used up", Duration.ofSeconds(4)));
    assertThat(stub.seen()).hasSize(5);
  }

  private Delivery deliver(ChannelType type, Duration timeout) {
    return channel(type, stub.url("/hook?key=s3cret-token"), http)
        .send(Alarms.high(), Alarms.EFFECT, false, timeout)
        .await()
        .atMost(LONG);
  }

  private static Channel channel(ChannelType type, String url, OutgoingHttp http) {
    var config = ChannelsTest.one(type.name(), url, null, "always");
    return new Channels(() -> Map.of("ops", config), http, stoppedClock()).all().get(0);
  }

  // The budget's clock stands still, so what a test sends is all within one moment.
  private static Entropy stoppedClock() {
    return new Entropy() {
      @Override
      public Instant now() {
        return Alarms.NOW;
      }

      @Override
      public long nanoTime() {
        return 0;
      }
    };
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
